import { secondsPerDay, secondsPerYear } from "./apy.ts";
import { formatRate } from "./units.ts";

export interface CashFlow {
  /** Unix seconds. */
  time: bigint;
  /** Smallest units. Negative: paid in. Positive: paid out, or the present value. */
  amount: bigint;
}

/**
 * Money-weighted yearly return: the rate r with Σ flow / (1 + r)^(Δt / 365 d) = 0, as a fraction with 6 decimals. Null
 * if there is none: no flow of each sign, less than 7 days between first and last, no root in (−99.99 %, 10 000 %), or
 * more than one sign change of the sum in that range (several rates would fit).
 * @example xirr([{ time: 0n, amount: -1_000n }, { time: 31_536_000n, amount: 1_070n }]) // "0.070000"
 */
export function xirr(flows: readonly CashFlow[]): string | null {
  const sorted = [...flows]
    .filter((flow) => flow.amount !== 0n)
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  const first = sorted[0];
  const last = sorted.at(-1);
  if (!first || !last || last.time - first.time < 7n * secondsPerDay) return null;
  if (!sorted.some((flow) => flow.amount > 0n) || !sorted.some((flow) => flow.amount < 0n)) return null;

  const years = sorted.map((flow) => Number(flow.time - first.time) / Number(secondsPerYear));
  const amounts = sorted.map((flow) => Number(flow.amount));
  const presentValue = (rate: number) =>
    amounts.reduce((sum, value, i) => sum + value / (1 + rate) ** (years[i] ?? 0), 0);

  const grid = [-0.9999, -0.99, -0.9, -0.75, -0.5, -0.25, -0.1, 0, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 100];
  let bracket: [number, number] | null = null;
  for (let i = 1; i < grid.length; i++) {
    const low = grid[i - 1] ?? 0;
    const high = grid[i] ?? 0;
    if (presentValue(low) > 0 === presentValue(high) > 0) continue;
    if (bracket) return null;
    bracket = [low, high];
  }
  if (!bracket) return null;
  let [low, high] = bracket;
  const positiveAtLow = presentValue(low) > 0;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (presentValue(middle) > 0 === positiveAtLow) low = middle;
    else high = middle;
  }
  return formatRate((low + high) / 2);
}
