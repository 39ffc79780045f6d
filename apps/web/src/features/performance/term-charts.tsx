import type { Performance } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { formatCoverage } from "../products/coverage.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { type ChartsProps, ChartTabs } from "./chart-tabs.tsx";
import { DepositsChart } from "./deposits-chart.tsx";

const percent = (value: string) => formatRate(value);

/** Charts of a time deposit: the mean rate, total deposits, and coverage. Its receipts have no price. */
export function TermCharts({ performance, unit, range, onRange }: ChartsProps) {
  const { series } = performance;
  return (
    <ChartTabs
      performance={performance}
      range={range}
      onRange={onRange}
      charts={[
        { name: "rate", label: t("performance.meanRate"), chart: () => <RateChart series={series} /> },
        { name: "deposits", label: t("products.tvl"), chart: () => <DepositsChart series={series} unit={unit} /> },
        { name: "coverage", label: t("performance.coverage"), chart: () => <CoverageChart series={series} /> },
      ]}
    />
  );
}

function RateChart({ series }: Pick<Performance, "series">) {
  const rates = useMemo<ChartSeries[]>(
    () => [
      {
        name: t("performance.meanRate"),
        colour: 5,
        steps: true,
        points: series.map((point) => ({ time: point.time, value: point.rate })),
      },
    ],
    [series],
  );
  return (
    <ChartPanel
      title={t("performance.meanRate")}
      series={rates}
      format={percent}
      none={t("performance.meanRate.none")}
      height={320}
    />
  );
}

function CoverageChart({ series }: Pick<Performance, "series">) {
  const coverage = useMemo<ChartSeries[]>(
    () => [
      {
        name: t("performance.coverage"),
        colour: 1,
        points: series.map((point) => ({ time: point.time, value: point.coverage })),
      },
    ],
    [series],
  );
  return (
    <ChartPanel
      title={t("performance.coverage")}
      series={coverage}
      format={formatCoverage}
      none={t("performance.coverage.none")}
      height={320}
    />
  );
}
