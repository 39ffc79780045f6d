import { formatUnits, parseUnits } from "../maths/units.ts";

/**
 * A reading's exact figure in its metric's unit: `value` × 10^`exponent` as a decimal string.
 * @example figureOf(12_345n, -2) // "123.45"
 */
export function figureOf(value: bigint, exponent: number): string {
  return exponent < 0 ? formatUnits(value, -exponent) : (value * 10n ** BigInt(exponent)).toString();
}

/**
 * The reverse of `figureOf`: a figure in the metric's unit as a number of steps of 10^`exponent`.
 * @throws RangeError if the text is not a decimal number or lies between two steps
 * @example stepsOf("123.45", -2) // 12345n
 */
export function stepsOf(figure: string, exponent: number): bigint {
  if (exponent <= 0) return parseUnits(figure, -exponent);
  const step = 10n ** BigInt(exponent);
  const whole = parseUnits(figure, 0);
  if (whole % step !== 0n) throw new RangeError(`${figure} is not a multiple of ${step}`);
  return whole / step;
}

/**
 * Decimals in which figures of different exponents are compared and added without rounding. They are those of the
 * finest exponent.
 */
export const figureDecimals = 18;

/**
 * value × 10^exponent with 18 decimals, exact. The exponent is −18 … 18.
 * @example fineFigure(5n, -2) // 50000000000000000n
 */
export function fineFigure(value: bigint, exponent: number): bigint {
  return value * 10n ** BigInt(exponent + figureDecimals);
}

/** Decimals that a mean has beyond those of its readings. */
const meanDecimals = 3;

/**
 * sum × 10^exponent / count as a decimal string, rounded down to a thousandth of the device's step.
 * @param count more than 0
 * @example meanOf(10n, 3n, 0) // "3.333"
 */
export function meanOf(sum: bigint, count: bigint, exponent: number): string {
  const scaled = sum * 10n ** BigInt(meanDecimals);
  const quotient = scaled / count;
  const down = scaled < 0n && scaled % count !== 0n ? quotient - 1n : quotient;
  return figureOf(down, exponent - meanDecimals);
}
