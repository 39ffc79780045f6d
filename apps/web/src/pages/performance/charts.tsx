import type { Performance, Range } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { RangeControl } from "../../features/products/range-control.tsx";
import { formatAmount, formatCount, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";

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

/** Share price and total deposits over the range, with a flag at each report while there are few. */
export default function Charts({ performance, unit, range, onRange }: ChartsProps) {
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
