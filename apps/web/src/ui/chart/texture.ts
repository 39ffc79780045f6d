import type { ChartSeries } from "./types.ts";

/** Dashes and gaps in pixels. The first colour, a chart's main line, is solid. */
const dashes: Record<ChartSeries["colour"], string | undefined> = {
  1: undefined,
  2: "8 4",
  3: "1.5 4.5",
  4: "8 4 1.5 4",
  5: "16 5",
  6: "8 4 1.5 4 1.5 4",
};

/** A series with a texture that distinguishes it within its chart if colours cannot. */
export interface TexturedSeries extends ChartSeries {
  /** A line's `stroke-dasharray`; undefined for a solid line. */
  dash: string | undefined;
  /** Draws bars as outlines. */
  hollow: boolean;
}

/** Gives each series its texture. A single line or a single set of bars is solid. */
export function textured(series: readonly ChartSeries[]): TexturedSeries[] {
  const bars = series.filter((line) => line.bars).length;
  const lines = series.length - bars;
  return series.map((line) => ({
    ...line,
    dash: !line.bars && lines > 1 ? dashes[line.colour] : undefined,
    hollow: line.bars === true && bars > 1 && line.colour !== 1,
  }));
}
