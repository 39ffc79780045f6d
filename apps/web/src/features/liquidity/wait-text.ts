import type { Liquidity } from "@aqua/sdk/api/product";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { language, t } from "../../i18n/i18n.ts";

type Wait = NonNullable<Liquidity["wait"]>;

/** A duration as text, rounded up so that no wait is shown shorter than estimated. */
export function waitLength(milliseconds: number): string {
  if (milliseconds <= 0) return t("liquidity.wait.atOnce");
  const [unit, length] =
    milliseconds < HOUR_MS
      ? (["minute", MINUTE_MS] as const)
      : milliseconds < DAY_MS
        ? (["hour", HOUR_MS] as const)
        : (["day", DAY_MS] as const);
  return new Intl.NumberFormat(language(), {
    style: "unit",
    unit,
    unitDisplay: unit === "day" ? "long" : "short",
    maximumFractionDigits: unit === "day" ? 1 : 0,
    roundingMode: "ceil",
  }).format(milliseconds / length);
}

/** How long an exit takes, as a sentence; an exit paid in the same transaction does not wait. */
export function waitText(wait: Wait): string {
  if (wait.p90 === 0) return t("liquidity.wait.now");
  return t("liquidity.wait.text", { p50: waitLength(wait.p50), p90: waitLength(wait.p90) });
}

/** A wait as a range for a table cell. */
export function waitRange(wait: Wait): string {
  if (wait.p90 === 0) return t("liquidity.wait.atOnce");
  return `${waitLength(wait.p50)} – ${waitLength(wait.p90)}`;
}
