import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { formatRate } from "../i18n/format.ts";
import { isZero } from "./decimal.ts";

/** `digits` is more than any asset of the API has; `scale` removes the digits beyond three. */
const digits = 30;
const scale = 10n ** BigInt(digits - 3);

/** A part of a whole in percent. It is truncated, so that less than everything is never shown as 100 %. */
export function partText(of: string | null, whole: string | null): string {
  if (of === null || whole === null || isZero(whole)) return formatRate(null);
  const part = (parseUnits(of, digits) * 10n ** BigInt(digits)) / parseUnits(whole, digits);
  return formatRate(formatUnits(part / scale, 3), { digits: 1 });
}
