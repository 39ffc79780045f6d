/**
 * Whole units as a decimal string → smallest units. RangeError if the text is not a plain decimal number or has more
 * non-zero fraction digits than `decimals`.
 * @example parseUnits("1250.5", 6) // 1250500000n
 */
export function parseUnits(text: string, decimals: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text);
  if (!match) throw new RangeError(`Not a decimal amount: ${text}`);
  const [, sign, whole = "0", fraction = ""] = match;
  const fractionDigits = fraction.slice(0, decimals).padEnd(decimals, "0");
  if (/[1-9]/.test(fraction.slice(decimals))) throw new RangeError(`More than ${decimals} decimals: ${text}`);
  const value = BigInt(whole + fractionDigits);
  return sign ? -value : value;
}

/**
 * Smallest units → whole units with exactly `decimals` fraction digits: formatUnits(1250500000n, 6) = "1250.500000".
 * @example formatUnits(1_250_500_000n, 6) // "1250.500000"
 */
export function formatUnits(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const sign = value < 0n ? "-" : "";
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/**
 * The same amount in a unit with more decimals. RangeError if `to` has fewer.
 * @example rescale(5n, 6, 18) // 5000000000000n
 */
export function rescale(units: bigint, from: number, to: number): bigint {
  if (to < from) throw new RangeError(`${from} decimals do not fit into ${to}`);
  return units * 10n ** BigInt(to - from);
}

/** The smaller of two bigints, which Math.min does not accept. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The larger of two bigints. */
export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/**
 * ⌊a·b / d⌋ for a, b ≥ 0 and d > 0.
 * @example mulDivFloor(7n, 3n, 2n) // 10n
 */
export function mulDivFloor(a: bigint, b: bigint, d: bigint): bigint {
  return (a * b) / d;
}

/**
 * ⌈a·b / d⌉ for a, b ≥ 0 and d > 0.
 * @example mulDivCeil(7n, 3n, 2n) // 11n
 */
export function mulDivCeil(a: bigint, b: bigint, d: bigint): bigint {
  const product = a * b;
  return product === 0n ? 0n : (product - 1n) / d + 1n;
}

/**
 * A finite number as a decimal string of `digits` fraction digits, without a negative zero. Null if the number is not
 * finite or not below 10^15.
 * @example formatRate(0.0725) // "0.072500"
 */
export function formatRate(value: number, digits = 6): string | null {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return null;
  const text = value.toFixed(digits);
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
}
