import type { ReactNode } from "react";
import { t } from "../../i18n/i18n.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import type { ChartProps } from "../../ui/chart/types.ts";
import { Empty } from "../../ui/empty.tsx";

interface ChartPanelProps extends ChartProps {
  intro?: ReactNode;
  /** Text shown if there is nothing to draw. */
  none?: string;
}

/** A chart under its explanation. With fewer than two values, a text says why there is no line. */
export function ChartPanel({ intro, none, ...chart }: ChartPanelProps) {
  const enough = chart.series.some((line) => line.points.filter((point) => point.value !== null).length > 1);
  return (
    <>
      {intro && <p className="max-w-[68ch] px-5 pt-4 text-14 text-muted">{intro}</p>}
      <div className="pt-4">
        {enough ? (
          <Chart {...chart} />
        ) : (
          <Empty title={t("products.chart.empty")}>{none ?? t("products.chart.emptyText")}</Empty>
        )}
      </div>
    </>
  );
}
