import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { formatRate } from "../i18n/format.ts";
import { isZero } from "./decimal.ts";

/** More fraction digits than any asset of the API has, and what is cut off of them. */
const digits = 30;
const scale = 10n ** BigInt(digits - 3);

/** A part of a whole in percent, truncated rather than rounded, so that less than all never shows as 100 %. */
export function partText(of: string, whole: string): string {
  if (isZero(whole)) return formatRate(null);
  const part = (parseUnits(of, digits) * 10n ** BigInt(digits)) / parseUnits(whole, digits);
  return formatRate(formatUnits(part / scale, 3), { digits: 1 });
}
