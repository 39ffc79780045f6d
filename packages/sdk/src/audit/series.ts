import { DAY } from "../durations.ts";
import { mulDivFloor } from "../maths/units.ts";

/** The moments of the API's series, in Unix seconds. */

const MAX_POINTS = 366;

/** The moments of a chart over all time: `since`, then evenly spaced back from `now`, at most 366 steps. */
export function chartMoments(since: number, now: number): number[] {
  if (since > now) return [];
  const step = DAY * Math.max(1, Math.ceil((now - since) / DAY / MAX_POINTS));
  const moments = [];
  for (let moment = now; moment > since; moment -= step) moments.push(moment);
  return [...moments, since].reverse();
}

const DAYS_KEPT = 53 * 7;

/** The moments of past flows: each day of the last 53 weeks, each seventh day before, and `since`. */
export function flowMoments(since: number, now: number): number[] {
  if (since > now) return [];
  const moments = [];
  for (let back = 0; now - back * DAY > since; back += back < DAYS_KEPT ? 1 : 7) moments.push(now - back * DAY);
  return [...moments, since].reverse();
}

export const WEEK = 7 * DAY;
/** The first Monday of the Unix era. */
const MONDAY = 4 * DAY;
const WEEKS = 12;

/** The Monday, 00:00 UTC, of the week of `time`. */
export function weekOf(time: number): number {
  return time - ((time - MONDAY) % WEEK);
}

/** The weeks from this one on: twelve, or as many as reach the week of `last`. */
export function weeksFrom(now: number, last: number): number[] {
  const count = Math.max(WEEKS, (weekOf(last) - weekOf(now)) / WEEK + 1);
  return Array.from({ length: count }, (_, index) => weekOf(now) + index * WEEK);
}

/** The part of a weekly amount that is left in the week from `start`. */
export function leftOfWeek(amount: bigint, start: number, now: number): bigint {
  return start >= now ? amount : mulDivFloor(amount, BigInt(start + WEEK - now), BigInt(WEEK));
}

const MONTHS = 12;

/** The first seconds of the last twelve calendar months (UTC), oldest first. */
export function monthStarts(now: number): number[] {
  const today = new Date(now * 1_000);
  return Array.from(
    { length: MONTHS },
    (_, index) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - (MONTHS - 1 - index)) / 1_000,
  );
}
