import type { Device } from "@aqua/sdk/api/telemetry";
import { type Decimal, formatAmount } from "../../i18n/format.ts";
import { language, t } from "../../i18n/i18n.ts";

/**
 * A measured figure with its unit. A figure with more than six fraction digits is truncated to six, without trailing
 * zeros.
 */
export function figureText(value: Decimal, unit: string): string {
  const digits = value.split(".")[1]?.length ?? 0;
  return `${formatAmount(value, digits > 6 ? { digits: 6, minDigits: 0 } : { digits })}\u00a0${unit}`;
}

/** A figure with its unit and about four digits, for a chart. */
export function shortFigure(value: Decimal, unit: string): string {
  const size = Math.abs(Number(value));
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return `${formatAmount(value, { digits, minDigits: 0 })}\u00a0${unit}`;
}

export const metricName = (metric: Device["metric"]) => t(`readings.metric.${metric}`);

/** Names who protects the device's key. For a co-signed device it names the co-signer. */
export function trustText({ trust, co_signer }: Pick<Device, "trust" | "co_signer">): string {
  return co_signer === null ? t(`readings.trust.${trust}`) : t("readings.trust.by", { name: co_signer });
}

export const statusLooks = {
  online: "positive",
  late: "caution",
  offline: "negative",
  never: "plain",
  no_key: "negative",
  retired: "plain",
} as const;

/** The largest valid Date, Unix milliseconds. */
const latest = 8.64e15;

/**
 * Date and time to the second with the zone, since readings are only seconds apart. An invalid time is shown as its
 * number.
 */
export function momentText(time: number): string {
  if (Math.abs(time) > latest) return `${time} ms`;
  const text = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "long" }).format(time);
  // A no-break space keeps the zone from wrapping onto a line of its own.
  return text.replace(/ (?=\S+$)/, "\u00a0");
}
