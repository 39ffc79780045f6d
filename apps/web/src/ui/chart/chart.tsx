import { lazy, Suspense } from "react";
import { loadTexts } from "../../i18n/i18n.ts";
import { Skeleton } from "../skeleton.tsx";
import type { ChartProps } from "./types.ts";

const ChartFigure = lazy(() => Promise.all([import("./figure.tsx"), loadTexts("chart")]).then(([module]) => module));

/** Height above and below the drawing, in pixels: the read-out and the button of the table. */
const around = 84;

/**
 * Lines, areas or bars with a read-out, a cursor for pointer and keyboard, and a table of their figures. The drawing
 * code and its texts load when a chart is shown.
 */
export function Chart(props: ChartProps) {
  return (
    <Suspense
      fallback={
        <div style={{ height: (props.height ?? 280) + around }} className="px-5 pb-5">
          <Skeleton className="h-full" />
        </div>
      }
    >
      <ChartFigure {...props} />
    </Suspense>
  );
}
