export interface ChartPoint {
  /** Unix milliseconds; with a custom axis (`across`) a number on it. */
  time: number;
  /** A decimal string, null for a gap. Drawn as a float; read-out and table show it exactly. */
  value: string | null;
  /** Minimum and maximum of the values it is the mean of: drawn as a band, shown with the value. */
  range?: { low: string; high: string };
}

export interface ChartSeries {
  name: string;
  points: ChartPoint[];
  /** Which of the six series colours. */
  colour: 1 | 2 | 3 | 4 | 5 | 6;
  /** Fills the area below at 8 %. */
  area?: boolean;
  /** Draws steps between values, for sums that change at one moment. */
  steps?: boolean;
  /** Draws a bar for each point, for sums per week. */
  bars?: boolean;
}

export interface ChartMarker {
  time: number;
  /** What happened: shown and read out when the cursor is there. */
  text: string;
  /** The flag's colour and shape; the text says the same. */
  tone?: "gain" | "loss" | "flaw";
}

/** A horizontal axis that is not time. */
export interface ChartAcross {
  name: string;
  format: (value: number) => string;
}

export interface ChartProps {
  /** Title of the chart, for screen readers and the table. */
  title: string;
  series: ChartSeries[];
  /** Small flags at the bottom. */
  markers?: ChartMarker[];
  /** Turns a value into text, with its unit. */
  format: (value: string) => string;
  /** Height of the drawing in pixels. */
  height?: number;
  across?: ChartAcross;
  /** Each point is of a period of UTC that begins then, and is named as that month or by that first day. */
  periods?: "day" | "month";
  /** Starts the scale at 0, as required where areas or lengths are compared. Always the case with bars. */
  fromZero?: boolean;
}
