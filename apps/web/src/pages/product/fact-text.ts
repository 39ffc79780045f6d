import type { ProductDetail } from "@aqua/sdk/api/product";
import { formatAmount, formatDuration, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";

/** A coverage, truncated rather than rounded, so that incomplete coverage never shows as 100 %. */
export function coverageText(coverage: string): string {
  return formatRate(coverage.replace(/(\.\d{4})\d+$/, "$1"));
}

export function waitText({ wait }: ProductDetail): string | null {
  if (wait === null) return null;
  if (wait.p90 === 0) return t("products.wait.now");
  return t("products.wait.text", { p50: formatDuration(wait.p50), p90: formatDuration(wait.p90) });
}

export function coordinatesText({ coordinates }: ProductDetail): string | null {
  if (!coordinates) return null;
  const { latitude, longitude } = coordinates;
  const degrees = (value: number) => formatAmount(Math.abs(value).toFixed(4), { digits: 2 });
  return `${degrees(latitude)}° ${latitude < 0 ? "S" : "N"}, ${degrees(longitude)}° ${longitude < 0 ? "W" : "E"}`;
}
