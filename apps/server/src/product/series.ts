import type { Range } from "@aqua/sdk/api/product";
import { DAY } from "@aqua/sdk/durations";
import { mulDivFloor } from "@aqua/sdk/maths/units";

const spans: Record<Exclude<Range, "all">, { length: number; step: number }> = {
  "7d": { length: 7 * DAY, step: DAY / 24 },
  "30d": { length: 30 * DAY, step: DAY / 4 },
  "90d": { length: 90 * DAY, step: DAY },
  "1y": { length: 365 * DAY, step: DAY },
};
const MAX_POINTS = 366;

/**
 * Returns the moments of a chart in Unix seconds, ascending. They run from the later of `since` and the start of the
 * range to `now`, both included, and are evenly spaced backwards from `now`. The range "all" uses steps of one day,
 * or of as many days as limit the chart to 366 points.
 */
export function momentsOfRange(range: Range, since: number, now: number): number[] {
  if (since > now) return [];
  const wanted = range === "all" ? null : spans[range];
  const start = wanted ? Math.max(since, now - wanted.length) : since;
  const step = wanted?.step ?? DAY * Math.max(1, Math.ceil((now - since) / DAY / MAX_POINTS));
  const moments = [];
  for (let moment = now; moment > start; moment -= step) moments.push(moment);
  moments.push(start);
  return moments.reverse();
}

export const WEEK = 7 * DAY;
const WEEKS = 12;
/** The first Monday of the Unix era, 00:00 UTC. */
const MONDAY = 4 * DAY;

const DAYS_KEPT = 53 * 7;

/**
 * Returns the moments for flows in Unix seconds, ascending: `since`, then every seventh day, and every day of the
 * last 53 weeks, all counted back from `now`. Each seven days back from `now` are therefore whole steps, and sums by
 * week are exact.
 */
export function daysAndWeeks(since: number, now: number): number[] {
  if (since > now) return [];
  const moments = [];
  for (let back = 0; now - back * DAY > since; back += back < DAYS_KEPT ? 1 : 7) moments.push(now - back * DAY);
  moments.push(since);
  return moments.reverse();
}

/** Returns the start of the week of `time`, Monday 00:00 UTC, in Unix seconds. */
export function weekOf(time: number): number {
  return time - ((time - MONDAY) % WEEK);
}

/** Returns the start of this week and of the following ones: twelve weeks, or as many as reach the week of `last`. */
export function weeksFrom(now: number, last = now): number[] {
  const count = Math.max(WEEKS, (weekOf(last) - weekOf(now)) / WEEK + 1);
  return Array.from({ length: count }, (_, index) => weekOf(now) + index * WEEK);
}

/**
 * Returns the part of a weekly `amount` that remains in the week that starts at `start`. A future week returns the
 * full amount. The current week returns the share of its remaining time.
 */
export function leftOfWeek(amount: bigint, start: number, now: number): bigint {
  return start >= now ? amount : mulDivFloor(amount, BigInt(start + WEEK) - BigInt(now), BigInt(WEEK));
}
