import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";

/** More fraction digits than any asset or price of the API has. */
const scale = 30;

/** The exact sum of decimal strings, with as many fraction digits as the longest of them. "0" for an empty list. */
export function sumAmounts(amounts: readonly string[]): string {
  const digits = Math.max(0, ...amounts.map((amount) => amount.split(".")[1]?.length ?? 0));
  const sum = amounts.reduce((total, amount) => total + parseUnits(amount, scale), 0n);
  return formatUnits(sum / 10n ** BigInt(scale - digits), digits);
}

/** Negative when a < b, 0 when they are equal, positive when a > b. */
export function compareAmounts(a: string, b: string): number {
  const difference = parseUnits(a, scale) - parseUnits(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isZero(amount: string): boolean {
  return /^-?0*(\.0*)?$/.test(amount);
}

/** a / b as a number between 0 and 1 for drawing levels, never for money; null when b is 0. */
export function shareOf(a: string, b: string): number | null {
  if (isZero(b)) return null;
  return Math.min(1, Math.max(0, Number(a) / Number(b)));
}
