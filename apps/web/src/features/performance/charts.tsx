import type { Performance } from "@aqua/sdk/api/product";
import { lazy, Suspense, useMemo } from "react";
import { formatAmount, formatRate } from "../../i18n/format.ts";
import { loadTexts, t } from "../../i18n/i18n.ts";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { usePerformance } from "../products/performance.ts";
import { growthOf, trailingApy } from "../products/performance-figures.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { type ChartsProps, ChartTabs } from "./chart-tabs.tsx";
import { DepositsChart } from "./deposits-chart.tsx";
import { reportFlag } from "./report-flag.ts";

const OutputChart = lazy(() =>
  Promise.all([import("./output-chart.tsx"), loadTexts("readings")]).then(([module]) => module),
);

const price = (value: string) => formatAmount(value, { digits: 6, minDigits: 4 });
const thousand = (value: string) => formatAmount(value);
const percent = (value: string) => formatRate(value);

/** The window, in days, of each observation's APY. */
const trailing = 30;

/**
 * Charts of a demand deposit: share price with its reports, growth of 1,000 with and without fees, APY, total deposits,
 * devices.
 */
export function Charts({ performance, unit, range, onRange }: ChartsProps) {
  const { series, short_id } = performance;
  return (
    <ChartTabs
      performance={performance}
      range={range}
      onRange={onRange}
      charts={[
        {
          name: "price",
          label: t("products.sharePrice"),
          chart: () => <PriceChart performance={performance} unit={unit} />,
        },
        {
          name: "growth",
          label: t("performance.growth"),
          chart: () => <GrowthChart series={series} unit={unit} />,
        },
        { name: "apy", label: t("performance.apyChart"), chart: () => <ApyChart shortId={short_id} series={series} /> },
        { name: "deposits", label: t("products.tvl"), chart: () => <DepositsChart series={series} unit={unit} /> },
        {
          name: "devices",
          label: t("performance.devices"),
          chart: () => (
            <Suspense fallback={<Skeleton className="h-96" />}>
              <OutputChart shortId={short_id} unit={unit} range={range} />
            </Suspense>
          ),
        },
      ]}
    />
  );
}

/** The share price, with a flag at each report. */
function PriceChart({ performance: { series, reports }, unit }: Pick<ChartsProps, "performance" | "unit">) {
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
  return (
    <ChartPanel
      intro={flags.length > 0 && t("performance.flags")}
      title={t("products.chart.price", { unit })}
      series={prices}
      markers={flags}
      format={price}
      height={320}
    />
  );
}

/** Charts the value of 1,000 deposited when the range begins, with and without fees. */
function GrowthChart({ series, unit }: { series: Performance["series"]; unit: string }) {
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
  return <ChartPanel title={t("performance.growth.title", { unit })} series={growth} format={thousand} height={320} />;
}

/** Charts the trailing 30-day APY at each observation of the range. This needs the history before the range too. */
function ApyChart({ shortId, series }: { shortId: string; series: Performance["series"] }) {
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
  if (!past)
    return all.isError ? (
      <div className="p-5">
        <ErrorState error={all.error} busy={all.isFetching} onRetry={() => all.refetch()} />
      </div>
    ) : (
      <Skeleton className="h-96" />
    );
  return (
    <ChartPanel
      title={t("performance.apyChart.title", { days: trailing })}
      none={t("performance.apyChart.none", { days: trailing })}
      series={lines}
      format={percent}
      height={320}
    />
  );
}
