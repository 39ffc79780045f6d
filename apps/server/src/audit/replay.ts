import { DAY_MS, HOUR_MS } from "@aqua/sdk/durations";
import { type HexText, noReading } from "@aqua/sdk/proofs/reading";
import { metrics } from "@aqua/sdk/telemetry/metrics";
import type { ValidationIssue } from "@aqua/sdk/telemetry/quality";
import type { device, readingBucket } from "../telemetry/schema.ts";

export type DeviceRow = typeof device.$inferSelect;
export type Bucket = typeof readingBucket.$inferSelect;

export const bucketSpans = [HOUR_MS, DAY_MS];
/** From this many equal figures in a row, a gauge is frozen (docs/operators/telemetry.md). */
const FROZEN_AT = 12;

/** A reading that is proved or that is the best that is known of it. */
export interface ReplayedReading {
  seq: number;
  time: number;
  value: bigint;
  hash: HexText;
  /** When the server accepted it. Null if it is no longer stored. */
  accepted: number | null;
}

/** The state of a device after a reading, computed from all its readings in their order. */
export interface Replay {
  /** As enrolled; names and units corrected by what the device signed. */
  device: DeviceRow;
  last: ReplayedReading;
  good: Pick<ReplayedReading, "seq" | "time" | "value"> | null;
  repeats: number;
  readings: number;
  /**
   * Number of readings that need not name the one before: one for each batch that was declared lost and that the replay
   * knows of (`lostBatches`), less those that made use of it.
   */
  breaks: number;
  lostBatches: number;
  /** False if a reading before is unknown or not proved, so that what follows from it cannot be compared. */
  known: boolean;
  /** False if it is not known which reading the next one must name. */
  isLinked: boolean;
  /** False if the replay did not begin with the device's first reading. */
  whole: boolean;
  /** By span: the bucket that readings may still be added to, and the start of the last compared one. */
  open: Map<number, Bucket>;
  comparedTo: Map<number, number>;
}

const beginning: ReplayedReading = { seq: 0, time: 0, value: 0n, hash: noReading, accepted: 0 };

export function newReplay(device: DeviceRow): Replay {
  const state = {
    good: null,
    repeats: 0,
    readings: 0,
    breaks: 0,
    lostBatches: 0,
    known: true,
    isLinked: true,
    whole: true,
  };
  return { device, last: beginning, ...state, open: new Map(), comparedTo: new Map() };
}

/** Lets one reading for each batch that was declared lost name another than the one before. */
export function grantBreaks(replay: Replay, lostBatches: number): void {
  replay.breaks += Math.max(0, lostBatches - replay.lostBatches);
  replay.lostBatches = Math.max(lostBatches, replay.lostBatches);
}

/** From here on it is unknown which readings of the device came before. */
export function loseTrack(replay: Replay): void {
  replay.known = false;
  replay.isLinked = false;
}

/** The flaw of the next reading of a device, by the rules of docs/operators/telemetry.md. */
export function flawOf(
  { device, good, repeats }: Pick<Replay, "device" | "good" | "repeats">,
  { time, value }: Pick<ReplayedReading, "time" | "value">,
): ValidationIssue | null {
  const { min, max, maxStep, interval, metric } = device;
  if (value < min || value > max) return "bounds";
  if (good === null) return null;
  // Undefined if somebody has changed the device's metric.
  const counts = (metrics[metric] as { kind: string } | undefined)?.kind === "register";
  if (counts && value < good.value) return "backwards";
  if (maxStep !== null && isJump({ maxStep, interval }, good, { time, value })) return "jump";
  return !counts && value === good.value && repeats + 1 >= FROZEN_AT ? "frozen" : null;
}

type Point = Pick<ReplayedReading, "time" | "value">;

/** Whether the change exceeds the largest step, which is granted once for each interval that has passed, or once. */
function isJump({ maxStep, interval }: { maxStep: bigint; interval: number }, from: Point, to: Point): boolean {
  const change = to.value - from.value;
  const passed = Math.max(interval, to.time - from.time);
  return (change < 0n ? -change : change) * BigInt(interval) > maxStep * BigInt(passed);
}

/** Adds a reading to the state. Returns the buckets to which no later reading can belong. */
export function advance(replay: Replay, reading: ReplayedReading, flaw: ValidationIssue | null): Bucket[] {
  replay.last = reading;
  replay.readings += 1;
  if (flaw === "frozen") replay.repeats += 1;
  if (flaw === null) {
    replay.repeats = replay.good?.value === reading.value ? replay.repeats + 1 : 1;
    const { seq, time, value } = reading;
    replay.good = { seq, time, value };
  }
  return bucketSpans.flatMap((span) => addToBucket(replay, span, { ...reading, flaw }));
}

function addToBucket(
  { device, open }: Replay,
  span: number,
  { time, value, flaw }: Point & { flaw: ValidationIssue | null },
): Bucket[] {
  const start = time - (time % span);
  const before = open.get(span);
  const bucket = before?.start === start ? before : emptyBucket(device.id, span, start);
  open.set(span, bucket);
  bucket.count += 1;
  if (flaw === null) {
    bucket.min = bucket.min === null || value < bucket.min ? value : bucket.min;
    bucket.max = bucket.max === null || value > bucket.max ? value : bucket.max;
    bucket.sum += value;
    if (bucket.firstTime === null) Object.assign(bucket, { firstTime: time, firstValue: value });
    Object.assign(bucket, { lastTime: time, lastValue: value });
  } else {
    bucket[flaw] += 1;
  }
  return before === undefined || before === bucket ? [] : [before];
}

function emptyBucket(device: number, span: number, start: number): Bucket {
  const none = { min: null, max: null, firstTime: null, firstValue: null, lastTime: null, lastValue: null };
  return { device, span, start, count: 0, bounds: 0, jump: 0, frozen: 0, backwards: 0, sum: 0n, ...none };
}
