export interface Extent {
  min: number;
  max: number;
}

/** The smallest of 1, 2, 5 × a power of ten that is not below `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** Round numbers inside an extent, ascending, about `most` at most. */
export function valueTicks({ min, max }: Extent, most: number): number[] {
  if (!(max > min)) return [min];
  const step = roundStep((max - min) / Math.max(1, most));
  const ticks = [];
  // Multiplied rather than added up, and cut to what a float holds, so that 0.3 is not 0.30000000000000004.
  for (let count = Math.ceil(min / step - 1e-9); count * step <= max + step * 1e-9; count += 1)
    ticks.push(Number((count * step).toPrecision(15)));
  return ticks;
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

type Unit = "hour" | "day" | "month" | "year";
export interface TimeTick {
  time: number;
  unit: Unit;
}

const hour = 3_600_000;
const day = 24 * hour;
/** Steps a reader knows from calendars, with their length in milliseconds. */
const calendar: { unit: Unit; count: number; length: number }[] = [
  { unit: "hour", count: 1, length: hour },
  { unit: "hour", count: 3, length: 3 * hour },
  { unit: "hour", count: 6, length: 6 * hour },
  { unit: "hour", count: 12, length: 12 * hour },
  { unit: "day", count: 1, length: day },
  { unit: "day", count: 2, length: 2 * day },
  { unit: "day", count: 7, length: 7 * day },
  { unit: "day", count: 14, length: 14 * day },
  { unit: "month", count: 1, length: 30 * day },
  { unit: "month", count: 2, length: 61 * day },
  { unit: "month", count: 3, length: 91 * day },
  { unit: "month", count: 6, length: 182 * day },
  { unit: "year", count: 1, length: 365 * day },
  { unit: "year", count: 2, length: 730 * day },
  { unit: "year", count: 5, length: 1826 * day },
];

/** The first tick at or before a moment, in the reader's zone: full hours, midnights, firsts of months. */
function floorTo(time: number, { unit, count }: { unit: Unit; count: number }): Date {
  const date = new Date(time);
  const [year, month] = [date.getFullYear(), date.getMonth()];
  if (unit === "year") return new Date(year - (year % count), 0, 1);
  if (unit === "month") return new Date(year, month - (month % count), 1);
  if (unit === "day") return new Date(year, month, date.getDate());
  return new Date(year, month, date.getDate(), date.getHours() - (date.getHours() % count));
}

function advance(date: Date, { unit, count }: { unit: Unit; count: number }): Date {
  const next = new Date(date);
  if (unit === "year") next.setFullYear(next.getFullYear() + count);
  else if (unit === "month") next.setMonth(next.getMonth() + count);
  else if (unit === "day") next.setDate(next.getDate() + count);
  else next.setHours(next.getHours() + count);
  return next;
}

/** Moments of the calendar inside an extent of Unix milliseconds, ascending, about `most` at most. */
export function timeTicks({ min, max }: Extent, most: number): TimeTick[] {
  const least = (max - min) / Math.max(1, most);
  const step = calendar.find(({ length }) => length >= least) ?? {
    unit: "year" as const,
    count: 10,
    length: 3650 * day,
  };
  const ticks: TimeTick[] = [];
  for (let date = floorTo(min, step); date.getTime() <= max; date = advance(date, step))
    if (date.getTime() >= min) ticks.push({ time: date.getTime(), unit: step.unit });
  return ticks;
}
