export interface ChartPoint {
  /** Unix milliseconds. With a custom axis (`across`), a number on that axis. */
  time: number;
  /** A decimal string; null for a gap. It is drawn as a float; read-out and table show it exactly. */
  value: string | null;
  /** Minimum and maximum of the values whose mean is `value`. Drawn as a band and shown with the value. */
  range?: { low: string; high: string };
}

export interface ChartSeries {
  name: string;
  points: ChartPoint[];
  /** One of the six series colours. */
  colour: 1 | 2 | 3 | 4 | 5 | 6;
  /** Fills the area below the line with 8 % opacity. */
  area?: boolean;
  /** Draws steps between values, for sums that change at one moment. */
  steps?: boolean;
  /** Draws a bar for each point, for sums per week. */
  bars?: boolean;
}

export interface ChartMarker {
  time: number;
  /** A description of the event. It is shown and read out when the cursor is at the marker. */
  text: string;
  /** The flag's colour and shape. The text states the same. */
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
  /** Formats a value with its unit. */
  format: (value: string) => string;
  /** Height of the drawing in pixels. */
  height?: number;
  across?: ChartAcross;
  /**
   * Each point belongs to a UTC period that begins at its time. The point is named by that month or by the period's
   * first day.
   */
  periods?: "day" | "month";
  /** Starts the scale at 0, as required if areas or lengths are compared. Bars always start at 0. */
  fromZero?: boolean;
}
