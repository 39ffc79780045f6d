import { formatAmount, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { ChartMarker } from "../../ui/chart/types.ts";

export const isLoss = (delta: string) => delta.startsWith("-");

/** The flag of an income report of `delta`, a signed decimal, at `time`. */
export function reportFlag(time: number, delta: string, unit: string): ChartMarker {
  const loss = isLoss(delta);
  const values = { date: formatDate(time), amount: formatAmount(loss ? delta.slice(1) : delta), unit };
  return {
    time,
    tone: loss ? "loss" : "gain",
    text: t(loss ? "performance.flag.loss" : "performance.flag.gain", values),
  };
}
