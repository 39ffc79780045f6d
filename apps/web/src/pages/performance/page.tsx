import type { Performance, Range } from "@aqua/sdk/api/product";
import { lazy, Suspense, useMemo, useState } from "react";
import { useParams } from "react-router";
import { useProduct } from "../../features/products/detail.ts";
import { usePerformance } from "../../features/products/performance.ts";
import { ProductGate } from "../../features/products/product-gate.tsx";
import { ProductHead } from "../../features/products/product-head.tsx";
import { RangeControl } from "../../features/products/range-control.tsx";
import { formatAmount, formatCount, formatDate, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";

const ReportTable = lazy(() => import("./report-table.tsx"));

export default function PerformancePage() {
  const { shortId = "" } = useParams();
  const [range, setRange] = useState<Range>("all");
  const product = useProduct(shortId);
  const performance = usePerformance(shortId, range);
  usePageTitle(product.data && t("performance.pageTitle", { name: product.data.name }));

  if (product.isError && product.data === undefined)
    return (
      <ProductGate
        shortId={shortId}
        error={product.error}
        busy={product.isFetching}
        onRetry={() => product.refetch()}
      />
    );
  const unit = product.data?.asset.symbol ?? "";
  return (
    <>
      <ProductHead shortId={shortId} product={product.data} title={t("performance.title")} />
      <div className="page flex flex-col gap-12 pt-8">
        {performance.isError && !performance.data ? (
          <ErrorState
            title={t("performance.failed")}
            error={performance.error}
            busy={performance.isFetching}
            onRetry={() => performance.refetch()}
          />
        ) : !performance.data ? (
          <>
            <Skeleton className="h-32 rounded-12" />
            <Skeleton className="h-96 rounded-12" />
            <Skeleton className="h-96 rounded-12" />
          </>
        ) : (
          <>
            <Windows performance={performance.data} />
            <Charts performance={performance.data} unit={unit} range={range} onRange={setRange} />
            <Section title={t("performance.reports")} intro={t("performance.reports.intro")}>
              <div className="panel overflow-hidden">
                {performance.data.reports.length === 0 ? (
                  <Empty title={t("performance.reports.none")}>{t("performance.reports.noneText")}</Empty>
                ) : (
                  <Suspense fallback={<TableSkeleton rows={6} />}>
                    <ReportTable
                      reports={performance.data.reports}
                      unit={unit}
                      chainId={performance.data.as_of.chain_id}
                    />
                  </Suspense>
                )}
              </div>
            </Section>
          </>
        )}
      </div>
    </>
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
