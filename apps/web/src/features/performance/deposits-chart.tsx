import type { Performance } from "@aqua/sdk/api/product";
import { useMemo } from "react";
import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { ChartSeries } from "../../ui/chart/types.ts";
import { ChartPanel } from "./chart-panel.tsx";

const total = (value: string) => formatAmount(value, { digits: 0 });

/** Total deposits of a product over a range. */
export function DepositsChart({ series, unit }: { series: Performance["series"]; unit: string }) {
  const lines = useMemo<ChartSeries[]>(
    () => [
      {
        name: t("products.tvl"),
        colour: 3,
        area: true,
        points: series.map((point) => ({ time: point.time, value: point.tvl })),
      },
    ],
    [series],
  );
  return (
    <ChartPanel title={t("performance.chart.tvl", { unit })} series={lines} format={total} height={320} fromZero />
  );
}
