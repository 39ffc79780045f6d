import { clockLead } from "@aqua/sdk/proofs/steps";
import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { listOf } from "../db/statement.ts";
import { reading } from "../telemetry/schema.ts";

export type ReadingRow = typeof reading.$inferSelect;

/** Maximum number of readings that one step checks. Their signatures cost a fraction of a second. */
export const PAGE = 200;
/** Maximum number of rows read of a device for one step. An honest database has one for each number at most. */
const MAX_ROWS = 2 * PAGE;

/** The earliest moment at which the server can have accepted a reading of that time. Batches count whole seconds. */
export const earliestAccepted = (time: number) => time - (clockLead + 1) * 1_000;

/**
 * Keeps months of readings from being dropped until the transaction ends. Call it first: a lock takes no snapshot, so
 * all later queries of a "repeatable read" transaction see the same months.
 */
export async function lockMonths(tx: Orm): Promise<void> {
  await tx.execute(sql`lock table reading in access share mode`);
}

/** Readings of a device with numbers after `after` and up to `upTo`. */
export interface Range {
  device: number;
  after: number;
  upTo: number | bigint;
}

/** The largest number that the database can hold. */
export const LAST_NUMBER = 2n ** 63n - 1n;

/** Returns the first stored readings of each of these ranges by device, in the order of their numbers. */
export async function readingsIn(
  tx: Orm,
  ranges: readonly Range[],
  limit = MAX_ROWS,
): Promise<ReadonlyMap<number, ReadingRow[]>> {
  const asked = tx
    .select({
      of: sql<number>`device`.as("of"),
      after: sql<string>`after`.as("after"),
      upTo: sql<string>`up_to`.as("up_to"),
    })
    .from(
      sql`unnest(${listOf(ranges.map(({ device }) => device))}::integer[],
        ${listOf(ranges.map(({ after }) => after))}::bigint[], ${listOf(ranges.map(({ upTo }) => upTo))}::bigint[])
        as ranges(device, after, up_to)`,
    )
    .as("asked");
  // The limit makes PostgreSQL walk the primary key for each range, whatever it expects of their lengths.
  const rows = tx
    .select()
    .from(reading)
    .where(
      and(eq(reading.device, sql`asked.of`), gt(reading.seq, sql`asked.after`), lte(reading.seq, sql`asked.up_to`)),
    )
    .orderBy(asc(reading.seq), asc(reading.time))
    .limit(limit)
    .as("stored");
  const found = new Map<number, ReadingRow[]>(ranges.map(({ device }) => [device, []]));
  for (const { stored } of await tx.select().from(asked).innerJoinLateral(rows, sql`true`)) {
    found.get(stored.device)?.push(stored);
  }
  for (const stored of found.values()) stored.sort((a, b) => a.seq - b.seq || a.time - b.time);
  return found;
}

/** Returns for each of these devices the time from which on all its readings must be stored. Absent if none is stored. */
export async function storedSince(tx: Orm, devices: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const { rows: months } = await tx.execute<{ bounds: string }>(sql`
    select pg_get_expr(c.relpartbound, c.oid) as bounds from pg_inherits i
    join pg_class c on c.oid = i.inhrelid where i.inhparent = 'reading'::regclass`);
  const { rows } = await tx.execute<{ device: number; time: string; accepted: string }>(sql`
    select d.device, oldest.time, oldest.accepted from unnest(${listOf(devices)}::integer[]) as d(device)
    cross join lateral (
      select time, accepted from reading where device = d.device order by seq limit 1
    ) as oldest`);
  return new Map(
    rows.map((row) => {
      const [time, accepted] = [Number(row.time), Number(row.accepted)];
      const month = months
        .map(({ bounds }) => (bounds.match(/\d+/g) ?? []).map(Number))
        .find(([from = 0, to = 0]) => from <= time && time < to);
      // The month may have been dropped and created again if its oldest reading arrived after its end, or if it was
      // imported, which leaves whole seconds.
      const isOriginal = month !== undefined && accepted <= (month[1] ?? 0) && accepted % 1_000 !== 0;
      return [row.device, isOriginal ? (month[0] ?? time) : time];
    }),
  );
}
