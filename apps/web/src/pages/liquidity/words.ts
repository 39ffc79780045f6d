import type { Liquidity } from "@aqua/sdk/api/product";
import { formatDuration } from "../../i18n/format.ts";
import { language, t } from "../../i18n/i18n.ts";

type Wait = NonNullable<Liquidity["wait"]>;

/** How long an exit takes, in words; what is paid in the same transaction does not wait. */
export function waitText(wait: Wait): string {
  if (wait.p90 === 0) return t("liquidity.wait.now");
  const half = wait.p50 === 0 ? t("liquidity.wait.atOnce") : formatDuration(wait.p50);
  return t("liquidity.wait.text", { p50: half, p90: formatDuration(wait.p90) });
}

const dayLength = 86_400_000;

/** Milliseconds as days for a scale, four digits. */
export function inDays(milliseconds: number): string {
  return (milliseconds / dayLength).toFixed(4);
}

/** Days of a scale in words: "3.5 days", hours below one day. */
export function daysText(days: string): string {
  const value = Number(days);
  if (value === 0) return t("liquidity.wait.atOnce");
  const hours = Math.abs(value) < 1;
  return new Intl.NumberFormat(language(), {
    style: "unit",
    unit: hours ? "hour" : "day",
    unitDisplay: hours ? "short" : "long",
    maximumFractionDigits: hours ? 0 : 1,
  }).format(hours ? value * 24 : value);
}
