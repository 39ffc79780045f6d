import type { ProductDetail } from "@aqua/sdk/api/product";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { isZero } from "../../features/decimal.ts";
import { formatAmount, formatRate } from "../../i18n/format.ts";

/** More fraction digits than any asset of the API has, and what is cut off of them. */
const digits = 30;
const scale = 10n ** BigInt(digits - 3);

/** A part of a whole in percent, truncated rather than rounded, so that less than all never shows as 100 %. */
export function partText(of: string, whole: string): string {
  if (isZero(whole)) return formatRate(null);
  const part = (parseUnits(of, digits) * 10n ** BigInt(digits)) / parseUnits(whole, digits);
  return formatRate(formatUnits(part / scale, 3), { digits: 1 });
}

export function coordinatesText({ coordinates }: ProductDetail): string | null {
  if (!coordinates) return null;
  const { latitude, longitude } = coordinates;
  const degrees = (value: number) => formatAmount(Math.abs(value).toFixed(4), { digits: 2 });
  return `${degrees(latitude)}° ${latitude < 0 ? "S" : "N"}, ${degrees(longitude)}° ${longitude < 0 ? "W" : "E"}`;
}
