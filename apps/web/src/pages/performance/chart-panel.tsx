import type { ReactNode } from "react";
import { t } from "../../i18n/i18n.ts";
import { Chart } from "../../ui/chart/chart.tsx";
import type { ChartProps } from "../../ui/chart/types.ts";
import { Empty } from "../../ui/empty.tsx";
import { Section } from "../../ui/section.tsx";

interface ChartPanelProps extends ChartProps {
  heading: string;
  intro?: ReactNode;
  aside?: ReactNode;
  /** Shown where there is nothing to draw. */
  none?: string;
}

/** A chart under its heading; with fewer than two values, a text saying why there is no line. */
export function ChartPanel({ heading, intro, aside, none, ...chart }: ChartPanelProps) {
  const enough = chart.series.some((line) => line.points.filter((point) => point.value !== null).length > 1);
  return (
    <Section title={heading} intro={intro} aside={aside}>
      <div className="panel overflow-hidden pt-4">
        {enough ? (
          <Chart {...chart} />
        ) : (
          <Empty title={t("products.chart.empty")}>{none ?? t("products.chart.emptyText")}</Empty>
        )}
      </div>
    </Section>
  );
}
