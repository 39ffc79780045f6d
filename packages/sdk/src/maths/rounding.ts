import { formatUnits, parseUnits } from "./units.ts";

/**
 * The rounding of a figure to the displayed digits. Estimates and values use `half-even`, so that a sum of many has no
 * bias. Amounts that are owed or can be withdrawn use `down`, so that no promise exceeds the payment. Costs use `up`.
 * Down is towards zero, up away from it.
 */
export type Rounding = "half-even" | "down" | "up";

/**
 * `value / divisor` as an integer, for divisor > 0.
 * @example divideRounded(5n, 2n, "half-even") // 2n
 */
export function divideRounded(value: bigint, divisor: bigint, rounding: Rounding): bigint {
  const [whole, rest] = [value / divisor, value % divisor];
  if (rest === 0n || rounding === "down") return whole;
  const away = value < 0n ? whole - 1n : whole + 1n;
  if (rounding === "up") return away;
  const twice = 2n * (rest < 0n ? -rest : rest);
  return twice > divisor || (twice === divisor && whole % 2n !== 0n) ? away : whole;
}

/**
 * A decimal string with exactly `digits` fraction digits, never "-0". RangeError if the text is not a decimal number.
 * @example roundDecimal("999.999999", 2, "half-even") // "1000.00"
 */
export function roundDecimal(text: string, digits: number, rounding: Rounding): string {
  const fractionDigits = text.split(".")[1]?.length ?? 0;
  const decimals = Math.max(fractionDigits, digits);
  const divisor = 10n ** BigInt(decimals - digits);
  return formatUnits(divideRounded(parseUnits(text, decimals), divisor, rounding), digits);
}

/**
 * The sign of a figure as it is displayed: −1, 0 or 1. It is 0 if the figure rounds to zero.
 * @example shownSign("-0.004", 2, "half-even") // 0
 */
export function shownSign(text: string, digits: number, rounding: Rounding): -1 | 0 | 1 {
  const rounded = parseUnits(roundDecimal(text, digits, rounding), digits);
  return rounded === 0n ? 0 : rounded < 0n ? -1 : 1;
}

/**
 * True if a request for `amount` means all of `max`: the two differ by less than the second fraction digit of the unit,
 * and by at most a thousandth of `max`. Smallest units.
 * @example meansAll(1_000_000_000n, 999_999_999n, 6) // true
 */
export function meansAll(amount: bigint, max: bigint, decimals: number): boolean {
  const apart = amount > max ? amount - max : max - amount;
  return max > 0n && apart < 10n ** BigInt(Math.max(0, decimals - 2)) && apart * 1_000n <= max;
}
