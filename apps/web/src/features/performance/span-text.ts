import type { Performance } from "@aqua/sdk/api/product";
import { formatCount, formatDate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";

/** The dates of the first and last observation, and how many there are. */
export function spanText(series: Performance["series"]): string | undefined {
  if (series.length < 2) return undefined;
  return t("performance.span", {
    from: formatDate(series[0]?.time),
    to: formatDate(series.at(-1)?.time),
    points: formatCount(series.length),
  });
}
