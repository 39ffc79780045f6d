import type { Performance, Range } from "@aqua/sdk/api/product";
import { lazy, Suspense, useMemo, useState } from "react";
import { useParams } from "react-router";
import { usePerformance } from "../../features/products/performance.ts";
import { ProductFrame } from "../../features/products/product-frame.tsx";
import { RangeControl } from "../../features/products/range-control.tsx";
import { formatAmount, formatCount, formatDate, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";

const ReportTable = lazy(() => import("./report-table.tsx"));

export default function PerformancePage() {
  const { shortId = "" } = useParams();
  const [range, setRange] = useState<Range>("all");
  return (
    <ProductFrame
      shortId={shortId}
      title={t("performance.title")}
      pageTitle={(name) => t("performance.pageTitle", { name })}
      answer={usePerformance(shortId, range)}
      failed={t("performance.failed")}
      skeleton={
        <>
          <Skeleton className="h-32 rounded-12" />
          <Skeleton className="h-96 rounded-12" />
          <Skeleton className="h-96 rounded-12" />
        </>
      }
    >
      {(performance, unit) => (
        <>
          <Windows performance={performance} />
          <Charts performance={performance} unit={unit} range={range} onRange={setRange} />
          <Section title={t("performance.reports")} intro={t("performance.reports.intro")}>
            <div className="panel overflow-hidden">
              {performance.reports.length === 0 ? (
                <Empty title={t("performance.reports.none")}>{t("performance.reports.noneText")}</Empty>
              ) : (
                <Suspense fallback={<TableSkeleton rows={6} />}>
                  <ReportTable reports={performance.reports} unit={unit} chainId={performance.as_of.chain_id} />
                </Suspense>
              )}
            </div>
          </Section>
        </>
      )}
    </ProductFrame>
  );
}

/** Share price, APY over each window, and the deepest fall. */
function Windows({ performance }: { performance: Performance }) {
  return (
    <div className="panel">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 p-5 sm:grid-cols-3 lg:grid-cols-7">
        <Figure label={t("products.sharePrice")}>{formatAmount(performance.share_price, { digits: 6 })}</Figure>
        {performance.apy.map((apy) => (
          <Figure
            key={apy.window_days ?? "inception"}
            label={
              apy.window_days === null
                ? t("performance.apy.inception")
                : t("performance.apy.window", { days: apy.window_days })
            }
            note={
              apy.value === null ? t("performance.apy.tooYoung") : apy.annualised ? undefined : t("performance.apy.raw")
            }
          >
            {formatRate(apy.value)}
          </Figure>
        ))}
        <Figure label={t("performance.drawdown")}>{formatRate(performance.max_drawdown)}</Figure>
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
        <p className="text-12 text-muted">{t("performance.formula")}</p>
        <Stamp block={performance.as_of.block} time={performance.as_of.time} stale={performance.as_of.stale} />
      </div>
    </div>
  );
}

const price = (value: string) => formatAmount(value, { digits: 6, minDigits: 4 });
const total = (value: string) => formatAmount(value, { digits: 0 });

/** More flags than this would hide the line they stand on. */
const mostFlags = 40;

interface ChartsProps {
  performance: Performance;
  unit: string;
  range: Range;
  onRange: (range: Range) => void;
}

function Charts({ performance, unit, range, onRange }: ChartsProps) {
  const { series, reports } = performance;
  const prices = useMemo(
    () => [
      {
        name: t("products.sharePrice"),
        colour: 1 as const,
        area: true,
        points: series.map((point) => ({ time: point.time, value: point.share_price })),
      },
    ],
    [series],
  );
  const totals = useMemo(
    () => [
      {
        name: t("products.tvl"),
        colour: 3 as const,
        area: true,
        points: series.map((point) => ({ time: point.time, value: point.tvl })),
      },
    ],
    [series],
  );
  const flags = useMemo(() => {
    const first = series[0]?.time ?? 0;
    const shown = reports.filter((report) => report.time >= first);
    if (shown.length > mostFlags) return [];
    return shown.map((report) => ({ time: report.time, text: "" })).sort((a, b) => a.time - b.time);
  }, [series, reports]);
  const empty = (
    <div className="panel">
      <Empty title={t("products.chart.empty")}>{t("products.chart.emptyText")}</Empty>
    </div>
  );
  const span =
    series.length > 1
      ? t(flags.length > 0 ? "performance.spanFlags" : "performance.span", {
          from: formatDate(series[0]?.time),
          to: formatDate(series.at(-1)?.time),
          points: formatCount(series.length),
        })
      : undefined;
  return (
    <>
      <Section title={t("products.sharePrice")} intro={span} aside={<RangeControl value={range} onChange={onRange} />}>
        {series.length < 2 ? (
          empty
        ) : (
          <div className="panel overflow-hidden pt-4">
            <Chart
              title={t("products.chart.price", { unit })}
              series={prices}
              markers={flags}
              format={price}
              height={320}
            />
          </div>
        )}
      </Section>
      <Section title={t("products.tvl")}>
        {series.length < 2 ? (
          empty
        ) : (
          <div className="panel overflow-hidden pt-4">
            <Chart title={t("performance.chart.tvl", { unit })} series={totals} format={total} />
          </div>
        )}
      </Section>
    </>
  );
}
