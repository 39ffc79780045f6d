import { DAY_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { ticks } from "d3-array";
import { timeTicks as calendarTicks } from "d3-time";

export interface Extent {
  min: number;
  max: number;
}

/** A scale spans at least this part of its largest value, so that a negligible change does not fill the chart. */
const minSpan = 0.01;

/** The range of a vertical scale: the values with some padding. Its height is never zero. */
export function valueExtent(values: readonly number[], fromZero: boolean): Extent {
  const low = Math.min(...values, ...(fromZero ? [0] : []));
  const high = Math.max(...values, ...(fromZero ? [0] : []));
  if (!Number.isFinite(low) || !Number.isFinite(high)) return { min: 0, max: 1 };
  const least = Math.max(Math.abs(low), Math.abs(high)) * minSpan || 1;
  if (high - low < least) {
    const middle = (low + high) / 2;
    return fromZero && low === 0 ? { min: 0, max: least } : { min: middle - least / 2, max: middle + least / 2 };
  }
  const air = (high - low) * 0.08;
  return { min: fromZero && low === 0 ? 0 : low - air / 2, max: high + air };
}

/** Round numbers within an extent, ascending, approximately `most` of them at most. */
export function valueTicks({ min, max }: Extent, most: number): number[] {
  return max > min ? ticks(min, max, most) : [min];
}

type Unit = "hour" | "day" | "month" | "year";
export interface TimeTick {
  time: number;
  unit: Unit;
}

/**
 * Times of the reader's calendar within an extent of Unix milliseconds, ascending, approximately `most` of them at
 * most. There are more if every calendar step would leave fewer than two, since one tick is not a scale.
 */
export function timeTicks({ min, max }: Extent, most: number): TimeTick[] {
  const dates = (about: number) => calendarTicks(new Date(min), new Date(max), about);
  // Hours over several days would repeat the same labels: noon, midnight, noon.
  const days = Math.floor((max - min) / DAY_MS);
  const some = days > 2 ? Math.min(most, days) : most;
  const wanted = [some, some + 1, most * 2].find((about) => dates(about).length > 1) ?? some;
  // Labels have minute precision, so two ticks within one minute would look equal.
  return momentTicks(dates(wanted).flatMap((date) => (date.getTime() % MINUTE_MS === 0 ? [date.getTime()] : [])));
}

/**
 * Ticks at these times, ascending. Each label is as coarse as the distance between ticks allows. Midnight is labelled
 * with its day.
 */
export function momentTicks(times: readonly number[]): TimeTick[] {
  // A single tick occurs only for an extent of one or two minutes.
  const step = times.length < 2 ? 0 : Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
  // Days, months and years vary in length: a day may lack an hour, a month may have 28 days.
  const unit = step < 0.9 * DAY_MS ? "hour" : step < 27 * DAY_MS ? "day" : step < 360 * DAY_MS ? "month" : "year";
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0) === time;
  return times.map((time) => ({ time, unit: unit === "hour" && midnight(time) ? "day" : unit }));
}
