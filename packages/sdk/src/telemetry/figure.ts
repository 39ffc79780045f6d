import { formatUnits, parseUnits } from "../maths/units.ts";

/**
 * A reading's figure in its metric's unit, exact: `value` × 10^`exponent` as a decimal string.
 * @example figureOf(12_345n, -2) // "123.45"
 */
export function figureOf(value: bigint, exponent: number): string {
  return exponent < 0 ? formatUnits(value, -exponent) : (value * 10n ** BigInt(exponent)).toString();
}

/**
 * The reverse: a figure in the metric's unit, in steps of 10^`exponent`.
 * @throws RangeError when the text is no decimal number or lies between two steps
 * @example stepsOf("123.45", -2) // 12345n
 */
export function stepsOf(figure: string, exponent: number): bigint {
  if (exponent <= 0) return parseUnits(figure, -exponent);
  const step = 10n ** BigInt(exponent);
  const whole = parseUnits(figure, 0);
  if (whole % step !== 0n) throw new RangeError(`${figure} is no multiple of ${step}`);
  return whole / step;
}

/**
 * Decimals at which figures of different exponents are compared and added without rounding: those of the finest
 * exponent.
 */
export const figureDecimals = 18;

/**
 * value × 10^exponent in 18 decimals, exact; exponent −18 … 18.
 * @example fineFigure(5n, -2) // 50000000000000000n
 */
export function fineFigure(value: bigint, exponent: number): bigint {
  return value * 10n ** BigInt(exponent + figureDecimals);
}

/** Means have three decimals more than their readings. */
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
