import { formatUnits, parseUnits } from "../maths/units.ts";

/** What a reading says in its metric's unit, exact: `value` × 10^`exponent` as a decimal string. */
export function figureOf(value: bigint, exponent: number): string {
  return exponent < 0 ? formatUnits(value, -exponent) : (value * 10n ** BigInt(exponent)).toString();
}

/**
 * The other way round: a figure in the metric's unit in steps of 10^`exponent`.
 * @throws RangeError when the text is no decimal number or lies between two steps
 */
export function stepsOf(figure: string, exponent: number): bigint {
  if (exponent <= 0) return parseUnits(figure, -exponent);
  const step = 10n ** BigInt(exponent);
  const whole = parseUnits(figure, 0);
  if (whole % step !== 0n) throw new RangeError(`${figure} is no multiple of ${step}`);
  return whole / step;
}
