import type { Performance, Range } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { formatCoverage } from "../../features/products/coverage.ts";
import { RangeControl } from "../../features/products/range-control.tsx";
import { formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { DepositsChart } from "./deposits-chart.tsx";
import { spanText } from "./span-text.ts";

const percent = (value: string) => formatRate(value);

interface TermChartsProps {
  performance: Performance;
  unit: string;
  range: Range;
  onRange: (range: Range) => void;
}

/** For a time deposit, whose receipts have no price: the mean rate, total deposits, and coverage. */
export function TermCharts({ performance, unit, range, onRange }: TermChartsProps) {
  const { series } = performance;
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
    <>
      <ChartPanel
        heading={t("performance.meanRate")}
        intro={[t("performance.meanRate.intro"), spanText(series)].filter(Boolean).join(" ")}
        aside={<RangeControl value={range} onChange={onRange} />}
        title={t("performance.meanRate")}
        series={rates}
        format={percent}
        none={t("performance.meanRate.none")}
        height={320}
      />
      <div className="grid items-start gap-x-6 gap-y-12 xl:grid-cols-2">
        <DepositsChart series={series} unit={unit} />
        <ChartPanel
          heading={t("performance.coverage")}
          intro={t("performance.coverage.intro")}
          title={t("performance.coverage")}
          series={coverage}
          format={formatCoverage}
          none={t("performance.coverage.none")}
        />
      </div>
    </>
  );
}
