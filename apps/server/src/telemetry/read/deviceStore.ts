import { and, asc, count, eq, gt, gte, inArray, lt, type SQL } from "drizzle-orm";
import { anyOf } from "../../db/anyOf.ts";
import type { Orm } from "../../db/database.ts";
import { device, deviceHead, readingBucket } from "../schema.ts";
import { groupedBy } from "./group.ts";

export type Enrolled = typeof device.$inferSelect;
export type Head = typeof deviceHead.$inferSelect;
export type Bucket = typeof readingBucket.$inferSelect;

/** Returns devices sorted by name, each with its latest state. */
export function enrolledDevices(tx: Orm, where: SQL | undefined): Promise<{ device: Enrolled; head: Head | null }[]> {
  return tx
    .select({ device, head: deviceHead })
    .from(device)
    .leftJoin(deviceHead, eq(deviceHead.device, device.id))
    .where(where)
    .orderBy(asc(device.name));
}

/** Devices read at once. Keys and intervals of so many are mapped within some tens of milliseconds. */
const SLICE = 1_000;

/** Yields all devices of a selection, each with its latest state, in slices in the order of their ids. */
export async function* deviceSlices(
  tx: Orm,
  where: SQL,
): AsyncGenerator<readonly { device: Enrolled; head: Head | null }[]> {
  for (let after = 0; ; ) {
    const slice = await tx
      .select({ device, head: deviceHead })
      .from(device)
      .leftJoin(deviceHead, eq(deviceHead.device, device.id))
      .where(and(gt(device.id, after), where))
      .orderBy(asc(device.id))
      .limit(SLICE);
    const last = slice.at(-1);
    if (last === undefined) return;
    yield slice;
    if (slice.length < SLICE) return;
    after = last.device.id;
  }
}

export function ofProduct({ chainId, shortId }: { chainId: number; shortId: string }): SQL | undefined {
  return and(eq(device.chainId, chainId), eq(device.shortId, shortId));
}

/** Returns buckets that begin at or after `from` and before `to`, by device, oldest first. */
export async function bucketsOf(
  tx: Orm,
  {
    devices,
    span,
    range: { from, to },
  }: { devices: readonly number[]; span: number; range: { from: number; to: number } },
): Promise<ReadonlyMap<number, Bucket[]>> {
  const rows = await tx
    .select()
    .from(readingBucket)
    .where(
      and(
        anyOf(readingBucket.device, devices),
        eq(readingBucket.span, span),
        gte(readingBucket.start, from),
        lt(readingBucket.start, to),
      ),
    )
    .orderBy(asc(readingBucket.device), asc(readingBucket.start));
  return groupedBy(rows, (row) => row.device);
}

/** Counts the devices of these chains that have a reading at or after `since`. */
export async function devicesSeenSince(tx: Orm, chainIds: readonly number[], since: number): Promise<number> {
  const [counted] = await tx
    .select({ devices: count() })
    .from(device)
    .innerJoin(deviceHead, eq(deviceHead.device, device.id))
    .where(
      and(
        inArray(device.chainId, [...chainIds]),
        gt(deviceHead.seq, 0),
        gte(deviceHead.time, since),
        gte(deviceHead.accepted, since),
      ),
    );
  return counted?.devices ?? 0;
}

/** Returns the number of readings in a bucket that count. */
export function validReadingsIn({ count: all, bounds, jump, frozen, backwards }: Bucket): number {
  return all - bounds - jump - frozen - backwards;
}
