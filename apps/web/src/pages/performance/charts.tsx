import type { Performance, Range } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { usePerformance } from "../../features/products/performance.ts";
import { growthOf, trailingApy } from "../../features/products/performance-figures.ts";
import { RangeControl } from "../../features/products/range-control.tsx";
import { formatAmount, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ChartPanel } from "./chart-panel.tsx";
import { DepositsChart } from "./deposits-chart.tsx";
import { reportFlag } from "./report-flag.ts";
import { spanText } from "./span-text.ts";

const price = (value: string) => formatAmount(value, { digits: 6, minDigits: 4 });
const thousand = (value: string) => formatAmount(value);
const percent = (value: string) => formatRate(value);

/** The window, in days, of each observation's APY. */
const trailing = 30;

interface ChartsProps {
  performance: Performance;
  unit: string;
  range: Range;
  onRange: (range: Range) => void;
}

/** Share price with its reports, growth of 1 000 with and without fees, APY over time, total deposits. */
export function Charts({ performance, unit, range, onRange }: ChartsProps) {
  const { series, reports } = performance;
  const flags = useMemo(() => reports.map(({ time, delta }) => reportFlag(time, delta, unit)), [reports, unit]);
  const prices = useMemo<ChartSeries[]>(
    () => [
      {
        name: t("products.sharePrice"),
        colour: 1,
        area: true,
        points: series.map((point) => ({ time: point.time, value: point.share_price })),
      },
    ],
    [series],
  );
  const growth = useMemo<ChartSeries[]>(
    () => [
      { name: t("performance.gross"), colour: 2, points: growthOf({ series, price: "gross_price", amount: 1000n }) },
      {
        name: t("performance.net"),
        colour: 1,
        area: true,
        points: growthOf({ series, price: "share_price", amount: 1000n }),
      },
    ],
    [series],
  );
  return (
    <>
      <ChartPanel
        heading={t("products.sharePrice")}
        intro={[spanText(series), flags.length > 0 && t("performance.flags")].filter(Boolean).join(" ") || undefined}
        aside={<RangeControl value={range} onChange={onRange} />}
        title={t("products.chart.price", { unit })}
        series={prices}
        markers={flags}
        format={price}
        height={320}
      />
      <div className="grid items-start gap-x-6 gap-y-12 xl:grid-cols-2">
        <ChartPanel
          heading={t("performance.growth")}
          intro={t("performance.growth.intro")}
          title={t("performance.growth.title", { unit })}
          series={growth}
          format={thousand}
          height={240}
        />
        <ApyOverTime shortId={performance.short_id} series={series} />
      </div>
      <DepositsChart series={series} unit={unit} />
    </>
  );
}

/** The trailing 30-day APY at each observation of the range. Needs the history before the range too. */
function ApyOverTime({ shortId, series }: { shortId: string; series: Performance["series"] }) {
  const all = usePerformance(shortId, "all");
  const past = all.data?.series;
  const lines = useMemo<ChartSeries[]>(
    () => [
      {
        name: t("performance.apy.window", { days: trailing }),
        colour: 5,
        points: past ? trailingApy(series, past, trailing) : [],
      },
    ],
    [series, past],
  );
  const heading = t("performance.apyChart");
  if (!past)
    return (
      <Section title={heading}>
        {all.isError ? (
          <ErrorState error={all.error} busy={all.isFetching} onRetry={() => all.refetch()} />
        ) : (
          <Skeleton className="h-80 rounded-12" />
        )}
      </Section>
    );
  return (
    <ChartPanel
      heading={heading}
      intro={t("performance.apyChart.intro", { days: trailing })}
      title={t("performance.apyChart.title", { days: trailing })}
      none={t("performance.apyChart.none", { days: trailing })}
      series={lines}
      format={percent}
      height={240}
    />
  );
}
