import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";

/** More fraction digits than any asset or price of the API has. */
const scale = 30;

/**
 * The exact sum of decimal strings, with as many fraction digits as the longest of them. "0" for an empty list. Null if
 * one of them is unknown.
 */
export function sumAmounts(amounts: readonly string[]): string;
export function sumAmounts(amounts: readonly (string | null)[]): string | null;
export function sumAmounts(all: readonly (string | null)[]): string | null {
  const amounts = all.filter((amount) => amount !== null);
  if (amounts.length < all.length) return null;
  const digits = Math.max(0, ...amounts.map((amount) => amount.split(".")[1]?.length ?? 0));
  const sum = amounts.reduce((total, amount) => total + parseUnits(amount, scale), 0n);
  return formatUnits(sum / 10n ** BigInt(scale - digits), digits);
}

/** Negative when a < b, 0 when they are equal, positive when a > b. */
export function compareAmounts(a: string, b: string): number {
  const difference = parseUnits(a, scale) - parseUnits(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** False for an unknown amount. */
export function isZero(amount: string | null): boolean {
  return amount !== null && /^-?0*(\.0*)?$/.test(amount);
}

/** a / b as a number between 0 and 1 for drawing levels, never for money; null when b is 0 or one is unknown. */
export function shareOf(a: string | null, b: string | null): number | null {
  if (a === null || b === null || isZero(b)) return null;
  return Math.min(1, Math.max(0, Number(a) / Number(b)));
}
