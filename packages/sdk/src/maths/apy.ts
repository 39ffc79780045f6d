import { DAY } from "../durations.ts";
import { divideRounded } from "./rounding.ts";
import { formatRate, parseUnits } from "./units.ts";

export const secondsPerDay = BigInt(DAY);
/** Day count ACT/365 fixed. */
export const secondsPerYear = 365n * secondsPerDay;

export interface Observation {
  /** Unix seconds. */
  time: bigint;
  /** Share price in any fixed scale. */
  price: bigint;
}

export interface Apy {
  /** A fraction with 6 decimals. Null if the return cannot be measured. */
  value: string | null;
  /** False with less than 7 days of history. The value is then the raw return. */
  annualised: boolean;
}

/**
 * Net APY between two observations: (p_now / p_then)^(365 d / Δt) − 1, where Δt is the actual time between them. Never
 * Infinity or NaN: a return that cannot be measured is null.
 * @example apyBetween({ time: 0n, price: 100n }, { time: 365n * 86_400n, price: 107n }) // { value: "0.070000", annualised: true }
 */
export function apyBetween(then: Observation, now: Observation): Apy {
  const elapsed = now.time - then.time;
  if (elapsed <= 0n || then.price <= 0n) return { value: null, annualised: false };
  const scale = 10n ** 15n;
  const growth = Number((now.price * scale) / then.price) / Number(scale);
  const annualised = elapsed >= 7n * secondsPerDay;
  const yearly = annualised ? growth ** (Number(secondsPerYear) / Number(elapsed)) : growth;
  return { value: formatRate(yearly - 1), annualised };
}

export interface Drawdown {
  /** A fraction with 6 decimals, rounded up, so that no loss is shown as 0. */
  fall: string;
  /** Positions of the last peak before the fall and of its lowest price. Both are 0 if the price never falls. */
  peak: number;
  low: number;
}

/**
 * Largest fall from a peak, max(1 − p_t / max p).
 * @example maxDrawdown([100n, 110n, 99n, 120n]) // { fall: "0.100000", peak: 1, low: 2 }
 */
export function maxDrawdown(prices: readonly bigint[]): Drawdown {
  const scale = 1_000_000n;
  let highest = { price: 0n, at: 0 };
  let deepest = { fall: 0n, peak: 0, low: 0 };
  for (const [at, price] of prices.entries()) {
    if (price >= highest.price) highest = { price, at };
    if (highest.price === 0n) continue;
    const fall = ((highest.price - price) * scale + highest.price - 1n) / highest.price;
    if (fall > deepest.fall) deepest = { fall, peak: highest.at, low: at };
  }
  const { fall, peak, low } = deepest;
  return { fall: `${fall / scale}.${(fall % scale).toString().padStart(6, "0")}`, peak, low };
}

/**
 * The gain of `amount` in a year at the rate `yearly`, a fraction as a decimal string. Smallest units, rounded half to
 * even.
 * @example yearlyGain(1_000_000_000n, "0.072600") // 72600000n
 */
export function yearlyGain(amount: bigint, yearly: string): bigint {
  const decimals = yearly.split(".")[1]?.length ?? 0;
  return divideRounded(amount * parseUnits(yearly, decimals), 10n ** BigInt(decimals), "half-even");
}
