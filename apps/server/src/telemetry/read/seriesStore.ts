import { HOUR_MS } from "@aqua/sdk/durations";
import type { ValidationIssue } from "@aqua/sdk/telemetry/quality";
import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import { anyOf } from "../../db/anyOf.ts";
import type { Orm } from "../../db/database.ts";
import { device, reading, readingBucket } from "../schema.ts";

/** Unix milliseconds: `from` inclusive, `to` exclusive. */
export interface Span {
  from: number;
  to: number;
}
export interface RawReading {
  device: number;
  seq: number;
  time: number;
  value: bigint;
  flaw: ValidationIssue | null;
}

/**
 * Returns the first `limit` readings of some devices in a span, in the order of devices and times, grouped by device.
 */
export async function readingsOf(
  tx: Orm,
  { devices, range: { from, to }, limit }: { devices: readonly number[]; range: Span; limit: number },
): Promise<ReadonlyMap<number, RawReading[]>> {
  type ReadingRow = [seq: number, time: number, value: string, flaw: ValidationIssue | null];
  // One row per device, as in `stepsOf`.
  const { rows } = await tx.execute<{ device: number; readings: ReadingRow[] }>(sql`
    select device, json_agg(json_build_array(seq, time, value::text, flaw) order by time) as readings
    from (
      select device, seq, time, value, flaw from reading
      where ${anyOf(reading.device, devices)} and time >= ${from} and time < ${to}
      order by device, time limit ${limit}
    ) as first
    group by device`);
  return new Map(
    rows.map(({ device, readings }) => [
      device,
      readings.map(([seq, time, value, flaw]) => ({ device, seq, time, value: BigInt(value), flaw })),
    ]),
  );
}

/** Returns the newest reading of each device before a moment; a device without a stored one is absent. */
export async function readingsBefore(
  tx: Orm,
  devices: readonly number[],
  time: number,
): Promise<ReadonlyMap<number, RawReading>> {
  const last = tx
    .select({
      device: reading.device,
      seq: reading.seq,
      time: reading.time,
      value: reading.value,
      flaw: reading.flaw,
    })
    .from(reading)
    .where(and(eq(reading.device, device.id), lt(reading.time, time)))
    .orderBy(desc(reading.time))
    .limit(1)
    .as("last");
  const rows = await tx
    .select({ ...last._.selectedFields })
    .from(device)
    .innerJoinLateral(last, sql`true`)
    .where(anyOf(device.id, devices));
  return new Map(rows.map((row) => [row.device, row]));
}

/** A point of a series: an hour or a day. Its values cover good readings only and are null while there is none. */
export interface Step {
  /** Unix milliseconds, a multiple of an hour or a day. */
  start: number;
  count: number;
  /** Number of good readings among `count`. */
  good: number;
  min: bigint | null;
  max: bigint | null;
  sum: bigint;
  /** Value of the newest good reading. */
  last: bigint | null;
}

/**
 * Returns the hours or days of some devices that begin in the range, oldest first. The query returns one row per
 * device: a year of days is read in a third of the time that a row per day takes.
 */
export async function stepsOf(
  tx: Orm,
  { devices, length, range: { from, to } }: { devices: readonly number[]; length: number; range: Span },
): Promise<ReadonlyMap<number, Step[]>> {
  type StepRow = [number, number, number, string | null, string | null, string, string | null];
  const { rows } = await tx.execute<{ device: number; steps: StepRow[] }>(sql`
    select device, json_agg(json_build_array(
      start, count, count - bounds - jump - frozen - backwards, min::text, max::text, sum::text, last_value::text
    ) order by start) as steps
    from reading_bucket
    where ${anyOf(readingBucket.device, devices)} and span = ${length} and start >= ${from} and start < ${to}
    group by device`);
  const figure = (text: string | null) => (text === null ? null : BigInt(text));
  return new Map(
    rows.map(({ device, steps }) => [
      device,
      steps.map(([start, count, good, min, max, sum, last]) => ({
        start,
        count,
        good,
        sum: BigInt(sum),
        min: figure(min),
        max: figure(max),
        last: figure(last),
      })),
    ]),
  );
}

/**
 * Counts the readings of each device in the steps that a span touches (`most`) and in those that lie entirely within it
 * (`least`). Steps are hours, or days, of which there are fewer to add up.
 */
export async function countsOf(
  tx: Orm,
  { devices, span: { from, to }, length = HOUR_MS }: { devices: readonly number[]; span: Span; length?: number },
): Promise<ReadonlyMap<number, { most: number; least: number }>> {
  const whole = sql`${readingBucket.start} >= ${from} and ${readingBucket.start} + ${length} <= ${to}`;
  const rows = await tx
    .select({
      device: readingBucket.device,
      most: sql<string>`sum(${readingBucket.count})`,
      least: sql<string>`coalesce(sum(${readingBucket.count}) filter (where ${whole}), 0)`,
    })
    .from(readingBucket)
    .where(
      and(
        anyOf(readingBucket.device, devices),
        eq(readingBucket.span, length),
        gte(readingBucket.start, from - (from % length)),
        lt(readingBucket.start, to),
      ),
    )
    .groupBy(readingBucket.device);
  return new Map(rows.map(({ device, most, least }) => [device, { most: Number(most), least: Number(least) }]));
}
