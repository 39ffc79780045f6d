import type { Liquidity, Range } from "@aqua/sdk/api/product";
import { DAY_MS } from "@aqua/sdk/durations";
import { sumAmounts } from "../decimal.ts";

type Day = Liquidity["history"][number];
type Week = Liquidity["weeks"][number];

const week = 7 * DAY_MS;
const spans = { "7d": 7, "30d": 30, "90d": 90, "1y": 365 } as const;

/** The days of a range that ends at `now`, Unix milliseconds. */
export function daysOf(history: readonly Day[], range: Range, now: number): Day[] {
  return range === "all" ? [...history] : history.filter(({ time }) => time >= now - spans[range] * DAY_MS);
}

/**
 * Exact sums of deposits and withdrawals by weeks of seven days, oldest first, each with its start; the last week ends
 * with the newest day. A day's time is its end. Includes only whole weeks, as many as the range touches, since a
 * partial week would look like a week with little activity.
 */
export function weeklyFlows(
  history: readonly Day[],
  range: Range,
): { time: number; deposits: string; withdrawals: string }[] {
  const newest = history.at(-1)?.time;
  if (newest === undefined) return [];
  const weekCount = range === "all" ? Number.POSITIVE_INFINITY : Math.ceil(spans[range] / 7);
  const weeks = new Map<number, Day[]>();
  for (const entry of history) {
    const weeksAgo = Math.floor((newest - entry.time) / week);
    weeks.set(weeksAgo, [...(weeks.get(weeksAgo) ?? []), entry]);
  }
  return [...weeks]
    .filter(([weeksAgo]) => weeksAgo < weekCount)
    .sort(([a], [b]) => b - a)
    .map(([weeksAgo, days]) => ({
      time: newest - (weeksAgo + 1) * week,
      deposits: sumAmounts(days.map((entry) => entry.deposits)),
      withdrawals: sumAmounts(days.map((entry) => entry.withdrawals)),
    }));
}

/** The exact sum that matures within the first `count` weeks. */
export function dueWithin(weeks: readonly Week[], count: number): string {
  return sumAmounts(weeks.slice(0, count).map((entry) => entry.maturities));
}

/** Compares two decimal strings exactly: negative when a < b. */
export function compareAmounts(a: string, b: string): number {
  const difference = sumAmounts([a, b.startsWith("-") ? b.slice(1) : `-${b}`]);
  return difference.startsWith("-") ? -1 : /[1-9]/.test(difference) ? 1 : 0;
}

/** The number of consecutive coming weeks that the cash covers in full, and whether that is all of them. */
export function weeksCovered(weeks: readonly Week[], cash: string): { weeks: number; all: boolean } {
  for (let count = 1; count <= weeks.length; count += 1)
    if (compareAmounts(cash, dueWithin(weeks, count)) < 0) return { weeks: count - 1, all: false };
  return { weeks: weeks.length, all: true };
}
