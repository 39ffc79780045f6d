import { t } from "../../i18n/i18n.ts";
import type { Column } from "./plot.ts";

/** A series' value in a column as text, with the minimum and maximum whose mean it is. Null for a gap. */
export function valueText(column: Column, index: number, format: (value: string) => string): string | null {
  const value = column.values[index];
  if (value === null || value === undefined) return null;
  const range = column.ranges[index];
  if (!range || range.low === range.high) return format(value);
  return t("chart.range", { value: format(value), low: format(range.low), high: format(range.high) });
}
