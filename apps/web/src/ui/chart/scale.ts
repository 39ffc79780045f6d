import { ticks } from "d3-array";
import { timeTicks as calendarTicks } from "d3-time";

export interface Extent {
  min: number;
  max: number;
}

/** The extent a vertical scale covers: the values with some air, never of no height. */
export function valueExtent(values: readonly number[], fromZero: boolean): Extent {
  const low = Math.min(...values, ...(fromZero ? [0] : []));
  const high = Math.max(...values, ...(fromZero ? [0] : []));
  if (!Number.isFinite(low) || !Number.isFinite(high)) return { min: 0, max: 1 };
  if (low === high) {
    const air = Math.abs(low) * 0.01 || 1;
    return { min: low - (fromZero && low === 0 ? 0 : air), max: high + air };
  }
  const air = (high - low) * 0.08;
  return { min: fromZero && low === 0 ? 0 : low - air / 2, max: high + air };
}

/** Round numbers inside an extent, ascending, about `most` at most. */
export function valueTicks({ min, max }: Extent, most: number): number[] {
  return max > min ? ticks(min, max, most) : [min];
}

type Unit = "hour" | "day" | "month" | "year";
export interface TimeTick {
  time: number;
  unit: Unit;
}

const minute = 60_000;
const day = 86_400_000;

/**
 * Moments of the reader's calendar inside an extent of Unix milliseconds, ascending, about `most` at most; more where the
 * calendar has no step that would leave two, since one moment alone gives no scale.
 */
export function timeTicks({ min, max }: Extent, most: number): TimeTick[] {
  const dates = (about: number) => calendarTicks(new Date(min), new Date(max), about);
  // Hours of several days would all be called the same: noon, midnight, noon.
  const days = Math.floor((max - min) / day);
  const some = days > 2 ? Math.min(most, days) : most;
  const wanted = [some, some + 1, most * 2].find((about) => dates(about).length > 1) ?? some;
  // Ticks are labelled to the minute: two within one would look like the same moment twice.
  return momentTicks(dates(wanted).flatMap((date) => (date.getTime() % minute === 0 ? [date.getTime()] : [])));
}

/**
 * Ticks at these moments, ascending, each labelled as roughly as the step between them allows; midnight by the day it
 * begins.
 */
export function momentTicks(times: readonly number[]): TimeTick[] {
  // One alone is left of a minute or two only.
  const step = times.length < 2 ? 0 : Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
  // A day, a month and a year are not always of one length: an hour may be missing, a month has 28 days.
  const unit = step < 0.9 * day ? "hour" : step < 27 * day ? "day" : step < 360 * day ? "month" : "year";
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0) === time;
  return times.map((time) => ({ time, unit: unit === "hour" && midnight(time) ? "day" : unit }));
}
