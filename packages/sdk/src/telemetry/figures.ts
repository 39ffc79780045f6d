import { formatUnits } from "../maths/units.ts";

/** Decimals in which figures of different exponents are compared and added without rounding; the finest exponent's. */
export const figureDecimals = 18;

/** value × 10^exponent as a decimal string, exact; exponent −18 … 18: figureText(1250n, -2) = "12.50". */
export function figureText(value: bigint, exponent: number): string {
  return exponent < 0 ? formatUnits(value, -exponent) : formatUnits(value * 10n ** BigInt(exponent), 0);
}

/** value × 10^exponent in 18 decimals, exact; exponent −18 … 18. */
export function fineFigure(value: bigint, exponent: number): bigint {
  return value * 10n ** BigInt(exponent + figureDecimals);
}

/** Mean figures say three decimals more than the readings they are made of. */
const meanDecimals = 3;

/**
 * sum × 10^exponent / count as a decimal string, rounded down to a thousandth of the device's step.
 * @param count more than 0
 */
export function meanText(sum: bigint, count: bigint, exponent: number): string {
  const scaled = sum * 10n ** BigInt(meanDecimals);
  const quotient = scaled / count;
  const down = scaled < 0n && scaled % count !== 0n ? quotient - 1n : quotient;
  return figureText(down, exponent - meanDecimals);
}
