import { and, asc, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { Orm } from "../../db/database.ts";
import { device, reading, readingBucket } from "../schema.ts";
import { HOUR } from "./deviceStore.ts";

/** Unix milliseconds: from included, to excluded. */
export interface Span {
  from: number;
  to: number;
}
export type RawReading = Awaited<ReturnType<typeof readingsOf>>[number];

const raw = {
  ...{ device: reading.device, seq: reading.seq, time: reading.time },
  ...{ value: reading.value, flaw: reading.flaw },
};

/** The first `limit` readings of some devices in a span, by device, oldest first. */
export function readingsOf(tx: Orm, devices: readonly number[], { from, to }: Span, limit: number) {
  return tx
    .select(raw)
    .from(reading)
    .where(and(inArray(reading.device, [...devices]), gte(reading.time, from), lt(reading.time, to)))
    .orderBy(asc(reading.device), asc(reading.time))
    .limit(limit);
}

/** The newest reading of each device before a moment, as far as it is there still. */
export async function readingsBefore(
  tx: Orm,
  devices: readonly number[],
  time: number,
): Promise<ReadonlyMap<number, RawReading>> {
  const last = tx
    .select(raw)
    .from(reading)
    .where(and(eq(reading.device, device.id), lt(reading.time, time)))
    .orderBy(desc(reading.time))
    .limit(1)
    .as("last");
  const rows = await tx
    .select({ ...last._.selectedFields })
    .from(device)
    .innerJoinLateral(last, sql`true`)
    .where(inArray(device.id, [...devices]));
  return new Map(rows.map((row) => [row.device, row]));
}

/** How many readings a device has in the hours a span touches, and in those that lie in it as a whole. */
export async function countsOf(
  tx: Orm,
  devices: readonly number[],
  { from, to }: Span,
): Promise<ReadonlyMap<number, { most: number; least: number }>> {
  const whole = sql`${readingBucket.start} >= ${from} and ${readingBucket.start} + ${HOUR} <= ${to}`;
  const rows = await tx
    .select({
      device: readingBucket.device,
      most: sql<string>`sum(${readingBucket.count})`,
      least: sql<string>`coalesce(sum(${readingBucket.count}) filter (where ${whole}), 0)`,
    })
    .from(readingBucket)
    .where(
      and(
        inArray(readingBucket.device, [...devices]),
        eq(readingBucket.span, HOUR),
        gte(readingBucket.start, from - (from % HOUR)),
        lt(readingBucket.start, to),
      ),
    )
    .groupBy(readingBucket.device);
  return new Map(rows.map(({ device, most, least }) => [device, { most: Number(most), least: Number(least) }]));
}
