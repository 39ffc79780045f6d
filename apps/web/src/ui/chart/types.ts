export interface ChartPoint {
  /** Unix milliseconds; in a chart with its own `across`, a number of that axis. */
  time: number;
  /** A decimal string, null where there is a gap. Drawn as a float: read-out and table show it exactly. */
  value: string | null;
  /** Least and most of what the value is a mean of: drawn as a band, given with the value. */
  range?: { low: string; high: string };
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
  /** A bar a point, for what happens within a week. */
  bars?: boolean;
}

export interface ChartMarker {
  time: number;
  /** What happened, in words: shown and read out when the cursor is there. */
  text: string;
  /** The look of its flag; the words say the same. */
  tone?: "gain" | "loss" | "flaw";
}

/** A horizontal axis that is not time. */
export interface ChartAcross {
  name: string;
  format: (value: number) => string;
}

export interface ChartProps {
  /** What the chart shows, for screen readers and the table. */
  title: string;
  series: ChartSeries[];
  /** Small flags at the foot. */
  markers?: ChartMarker[];
  /** Turns a value into text, with its unit. */
  format: (value: string) => string;
  /** Height of the drawing in pixels. */
  height?: number;
  across?: ChartAcross;
  /** The scale begins at 0, as it must where areas or lengths are compared. Always so with bars. */
  fromZero?: boolean;
}
