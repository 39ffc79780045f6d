import { DAY_MS } from "../durations.ts";
import { formatRate } from "../maths/units.ts";
import { fineFigure } from "./figure.ts";

/**
 * Reasons why an authentic reading is not valid. It stays in the device's chain and in the batch but is not counted.
 */
export const validationIssues = ["bounds", "jump", "frozen", "backwards"] as const;
export type ValidationIssue = (typeof validationIssues)[number];

export const deviceStatuses = ["online", "late", "offline", "never", "no_key", "retired"] as const;
export type DeviceStatus = (typeof deviceStatuses)[number];

/** A device is online until this many of its intervals have passed without a reading. */
const onlineIntervals = 3;

/**
 * A reporting interval in milliseconds that applies from `since` (Unix milliseconds; null: from the start) until the
 * next one.
 */
export interface DueEvery {
  since: number | null;
  interval: number;
}

/**
 * The interval that applies at a moment. @param intervals one or more, oldest first; the first one also applies before
 * its own time
 */
export function intervalAt(intervals: readonly DueEvery[], time: number): number {
  return (intervals.findLast(({ since }) => since === null || since <= time) ?? intervals[0])?.interval ?? 0;
}

/** Readings of one device in a period: Unix milliseconds, `start` inclusive and `end` exclusive. */
export interface Slot {
  start: number;
  end: number;
  /** All accepted readings. */
  count: number;
  /** The number of invalid readings by reason. */
  flawed: Readonly<Record<ValidationIssue, number>>;
  /** True if the valid readings differ so much from the neighbours' readings that they are not counted. */
  neighbour?: boolean;
}

/**
 * Reasons why an expected reading is not counted: it is missing, its neighbours contradict it, or it failed a
 * validation.
 */
export const losses = ["missing", "neighbour", ...validationIssues] as const;
export type Loss = (typeof losses)[number];

/** The expected readings by outcome: fractions from 0 to 1 that add up to 1. */
export interface Shares {
  /** Received and valid. */
  good: number;
  /** Missing or not counted, by reason. Reasons without a share are left out. */
  lost: ReadonlyMap<Loss, number>;
}

/**
 * The shares of the readings expected from `from` to `to` (Unix milliseconds) for a device with these intervals.
 *
 * due(a, b) = Σ length / interval over the periods of one interval between a and b. expected = ⌊due(from, to)⌋. A slot
 * counts at most ⌈due⌉ + 1 readings for its part of the span, so that a flood in one hour does not compensate for
 * silence in another. The extra one allows for a reading shortly before or after the slot. A surplus over this, or over
 * the total expected, is scaled down in proportion. good = valid readings / expected, each issue = readings with it /
 * expected, missing = the rest.
 *
 * @param slots of this device, without overlaps
 * @param intervals one or more, oldest first; the first one also applies before its own time
 * @returns null while nothing is expected
 * @example sharesOf({ slots: [{ start: 0, end: 3_600_000, count: 3, flawed: {}, neighbour: false }], intervals: [{ since: null, interval: 900_000 }], from: 0, to: 3_600_000 })?.good // 0.75
 */
export function sharesOf({
  slots,
  intervals,
  from,
  to,
}: {
  slots: readonly Slot[];
  intervals: readonly DueEvery[];
  from: number;
  to: number;
}): Shares | null {
  const due = dueOf(intervals);
  const expected = Math.floor(due(from, to));
  if (expected < 1) return null;
  const counted = new Map<Loss | "good", number>();
  let present = 0;
  for (const { start, end, count, flawed, neighbour } of slots) {
    const [first, last] = [Math.max(start, from), Math.min(end, to)];
    if (last <= first || count === 0) continue;
    const most = Math.ceil(due(first, last)) + 1;
    const weight = Math.min(count, most) / count;
    present += count * weight;
    let good = count;
    for (const [flaw, number] of Object.entries(flawed) as [ValidationIssue, number][]) {
      good -= number;
      counted.set(flaw, (counted.get(flaw) ?? 0) + number * weight);
    }
    const passed = neighbour ? "neighbour" : "good";
    counted.set(passed, (counted.get(passed) ?? 0) + good * weight);
  }
  const whole = Math.max(expected, present);
  const lost = new Map<Loss, number>();
  for (const [what, number] of counted) if (what !== "good" && number > 0) lost.set(what, number / whole);
  if (present < expected) lost.set("missing", (expected - present) / whole);
  return { good: (counted.get("good") ?? 0) / whole, lost };
}

/**
 * The number of readings that are due between two moments; the last one may be fractional. Adjacent periods of equal
 * interval are merged, which makes the result exact.
 */
function dueOf(intervals: readonly DueEvery[]): (from: number, to: number) => number {
  const stretches: { start: number; end: number; interval: number }[] = [];
  for (const { since, interval } of intervals) {
    const before = stretches.at(-1);
    if (before?.interval === interval) continue;
    if (before !== undefined && since !== null) before.end = since;
    stretches.push({ start: before === undefined || since === null ? -Infinity : since, end: Infinity, interval });
  }
  return (from, to) =>
    stretches.reduce(
      (sum, { start, end, interval }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)) / interval,
      0,
    );
}

/**
 * Fraction of the readings expected from `from` to `to` that were received, valid or not: 0 … 1 with 6 decimals,
 * rounded down. Null before the first day has passed.
 */
export function availabilityOf(
  slots: readonly Slot[],
  intervals: readonly DueEvery[],
  { from, to }: { from: number; to: number },
): string | null {
  if (to - from < DAY_MS) return null;
  const shares = sharesOf({ slots, intervals, from, to });
  return shares && rateDown(1 - (shares.lost.get("missing") ?? 0));
}

/** Fraction of the expected readings that were received and valid, and the reasons for the rest, largest first. */
export function qualityOf(
  slots: readonly Slot[],
  intervals: readonly DueEvery[],
  { from, to }: { from: number; to: number },
): { score: string | null; reasons: { reason: Loss; share: string }[] } {
  const shares = sharesOf({ slots, intervals, from, to });
  if (shares === null) return { score: null, reasons: [] };
  const reasons = [...shares.lost]
    .toSorted(([a, mine], [b, other]) => other - mine || (a < b ? -1 : 1))
    .map(([reason, share]) => ({ reason, share: rateOf(share) }));
  return { score: rateDown(shares.good), reasons };
}

/** A gauge's mean over an hour, sum × 10^exponent / count, and the plausible range of its enrolment. */
export interface GaugeMean<Name> {
  device: Name;
  sum: bigint;
  /** More than 0. */
  count: bigint;
  exponent: number;
  min: bigint;
  max: bigint;
}

/** The minimum number of gauges that can be compared with each other. */
const leastNeighbours = 3;
/** A mean is an outlier if its distance from the median mean exceeds this many times the median distance … */
const farFactor = 5n;
/** … and this fraction (1 / nearPart) of its own plausible range. */
const nearPart = 10n;

/**
 * The gauges of one metric and product that differ from the others in the same hour.
 *
 * With m the means, d = |m − median(m)|: a device is returned when d > 5 × median(d) and d > (max − min) / 10. Medians
 * of an even number are the lower of the two in the middle. With fewer than three gauges the result is empty.
 * @example outliersAmong([10n, 11n, 90n].map((sum, index) => ({ device: `gauge ${index}`, sum, count: 1n, exponent: 0, min: 0n, max: 100n }))) // ["gauge 2"]
 */
export function outliersAmong<Name>(gauges: readonly GaugeMean<Name>[]): Name[] {
  if (gauges.length < leastNeighbours) return [];
  const means = gauges.map(({ sum, count, exponent }) => fineFigure(sum, exponent) / count);
  const middle = medianOf(means);
  const distances = means.map((mean) => (mean > middle ? mean - middle : middle - mean));
  const spread = medianOf(distances);
  return gauges
    .filter(({ min, max, exponent }, index) => {
      const distance = distances[index] ?? 0n;
      return distance > farFactor * spread && distance * nearPart > fineFigure(max - min, exponent);
    })
    .map(({ device }) => device);
}

/**
 * Status of a device at `now`; all times in Unix milliseconds. Retired and keyless take precedence. `online`: the
 * newest reading is at most three intervals old. `late`: it is at most a day old.
 * @example statusOf({ retired: false, hasKey: true, lastSeen: 0, interval: 60_000 }, 120_000) // "online"
 */
export function statusOf(
  device: { retired: boolean; hasKey: boolean; lastSeen: number | null; interval: number },
  now: number,
): DeviceStatus {
  if (device.retired) return "retired";
  if (!device.hasKey) return "no_key";
  if (device.lastSeen === null) return "never";
  const age = now - device.lastSeen;
  if (age <= onlineIntervals * device.interval) return "online";
  return age <= DAY_MS ? "late" : "offline";
}

function medianOf(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n;
}

const rateOf = (share: number) => formatRate(share) ?? "0.000000";
/** Rounds down, so that only an exact 1 is shown as 1. The 1e-6 undoes binary rounding. */
const rateDown = (share: number) => rateOf(Math.floor(share * 1e6 + 1e-6) / 1e6);
