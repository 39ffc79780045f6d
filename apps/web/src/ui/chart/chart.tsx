import { lazy, Suspense, useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { Skeleton } from "../skeleton.tsx";

export interface ChartPoint {
  /** Unix milliseconds. */
  time: number;
  /** A decimal string, null where there is a gap. Drawn as a float: the table beside the chart shows it exactly. */
  value: string | null;
}

export interface ChartSeries {
  name: string;
  points: ChartPoint[];
  /** Which of the six series colours. */
  colour: 1 | 2 | 3 | 4 | 5 | 6;
  /** Filled below at 8 %. */
  area?: boolean;
  /** Steps from value to value, for sums that change at one moment. */
  steps?: boolean;
}

interface ChartMarker {
  time: number;
  text: string;
}

export interface ChartProps {
  /** What the chart shows, for screen readers and the table. */
  title: string;
  series: ChartSeries[];
  /** Small flags on the first series. */
  markers?: ChartMarker[];
  /** Turns a value into text, with its unit. */
  format: (value: string) => string;
  /** Height in pixels. */
  height?: number;
}

const Canvas = lazy(() => import("./canvas.tsx"));
const ChartTable = lazy(() => import("./chart-table.tsx"));

/** A line chart with its figures in a table beside it. The drawing code loads when the chart is shown. */
export function Chart(props: ChartProps) {
  const { title, series, height = 280 } = props;
  const [asTable, setAsTable] = useState(false);
  return (
    <figure aria-label={title}>
      {series.length > 1 && (
        <figcaption className="flex flex-wrap gap-x-5 gap-y-1 px-5 pb-2 text-12 text-muted">
          {series.map((line) => (
            <span key={line.name} className="inline-flex items-center gap-2">
              <span
                aria-hidden="true"
                className="h-0.5 w-4 rounded-full forced-color-adjust-none"
                style={{ background: `var(--series-${line.colour})` }}
              />
              {line.name}
            </span>
          ))}
        </figcaption>
      )}
      <div style={{ height }}>
        <Suspense fallback={<Skeleton className="mx-5 h-full" />}>
          <Canvas {...props} height={height} />
        </Suspense>
      </div>
      <details className="group border-t border-line" onToggle={(event) => setAsTable(event.currentTarget.open)}>
        <summary className="px-5 py-3 text-12 text-muted hover:text-ink">{t("ui.chart.table")}</summary>
        {asTable && (
          <Suspense>
            <ChartTable {...props} />
          </Suspense>
        )}
      </details>
    </figure>
  );
}
