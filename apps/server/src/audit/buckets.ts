import { and, asc, eq, gt, lte } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { readingBucket } from "../telemetry/schema.ts";
import type { Fleet } from "./fleet.ts";
import { type Bucket, bucketSpans, type Replay } from "./replay.ts";
import { compareColumns, recordRow, type Slice } from "./slice.ts";

/** Buckets of a device that the replay has left. `ended`: the replay has reached the device's last reading. */
export interface LeftBuckets {
  replay: Replay;
  closed: readonly Bucket[];
  ended: boolean;
}

/** Buckets of a device that start after `after` and not after `upTo`, by their start. */
export interface BucketRange {
  device: number;
  span: number;
  after: number;
  upTo: number;
}

interface Asked extends BucketRange {
  replay: Replay;
  expected: Map<number, Bucket>;
}

/** Maximum number of buckets read of a range: a year of hours. */
const MAX_BUCKETS = 10_000;

export async function readBuckets(tx: Orm, ranges: readonly BucketRange[]): Promise<Bucket[]> {
  const found: Bucket[] = [];
  for (const { device, span, after, upTo } of ranges) {
    const { start } = readingBucket;
    const isIn = and(
      eq(readingBucket.device, device),
      eq(readingBucket.span, span),
      gt(start, after),
      lte(start, upTo),
    );
    found.push(...(await tx.select().from(readingBucket).where(isIn).orderBy(asc(start)).limit(MAX_BUCKETS)));
  }
  return found;
}

/** The ranges of all buckets of a device that are not compared yet. */
export const bucketsAhead = ({ device, comparedTo }: Replay): BucketRange[] =>
  bucketSpans.map((span) => ({
    device: device.id,
    span,
    after: comparedTo.get(span) ?? -1,
    upTo: Number.MAX_SAFE_INTEGER,
  }));

/** Compares the stored buckets up to the newest left one of each device. None may be missing, and no other may exist. */
export async function compareBuckets(
  { slice, fleet }: { slice: Slice; fleet: Fleet },
  left: readonly LeftBuckets[],
  read: (ranges: readonly BucketRange[]) => Promise<readonly Bucket[]>,
): Promise<void> {
  const asked = left.flatMap((one) => askedOf(one));
  if (asked.length === 0) return;
  const rows = await read(asked);
  for (const { replay, span, upTo, expected } of asked) {
    const found = rows.filter((row) => row.device === replay.device.id && row.span === span);
    compareOne({ slice, fleet }, replay, { expected, found });
    replay.comparedTo.set(span, upTo);
  }
}

function askedOf({ replay, closed, ended }: LeftBuckets): Asked[] {
  if (!replay.known || !replay.whole) return [];
  return bucketsAhead(replay).flatMap((range): Asked[] => {
    const open = ended ? replay.open.get(range.span) : undefined;
    const buckets = [...closed.filter(({ span }) => span === range.span), ...(open ? [open] : [])];
    if (buckets.length === 0 && !ended) return [];
    const upTo = ended ? range.upTo : Math.max(...buckets.map(({ start }) => start));
    return [{ ...range, replay, upTo, expected: new Map(buckets.map((one) => [one.start, one])) }];
  });
}

function compareOne(
  { slice, fleet }: { slice: Slice; fleet: Fleet },
  { device }: Replay,
  { expected, found }: { expected: ReadonlyMap<number, Bucket>; found: readonly Bucket[] },
): void {
  const about = ({ span, start }: Bucket) =>
    fleet.about("reading_bucket", device, `${span} ms from ${new Date(start).toISOString()}`);
  const stored = new Map(found.map((one) => [one.start, one]));
  for (const one of expected.values()) {
    const row = stored.get(one.start);
    if (row === undefined) recordRow(slice, about(one), { expected: `${one.count} readings` });
    else compareColumns(slice, about(one), columnsOf(one, row));
  }
  for (const row of found) {
    if (!expected.has(row.start)) recordRow(slice, about(row), { found: `${row.count} readings` });
  }
}

const columnsOf = (one: Bucket, row: Bucket) => ({
  count: [one.count, row.count] as const,
  bounds: [one.bounds, row.bounds] as const,
  jump: [one.jump, row.jump] as const,
  frozen: [one.frozen, row.frozen] as const,
  backwards: [one.backwards, row.backwards] as const,
  min: [one.min, row.min] as const,
  max: [one.max, row.max] as const,
  sum: [one.sum, row.sum] as const,
  first_time: [one.firstTime, row.firstTime] as const,
  first_value: [one.firstValue, row.firstValue] as const,
  last_time: [one.lastTime, row.lastTime] as const,
  last_value: [one.lastValue, row.lastValue] as const,
});
