import { and, asc, eq, gt, isNull, or, type SQL } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { product } from "../indexer/schema.ts";
import { device, deviceHead, readingBucket } from "./schema.ts";
import { createHead } from "./store.ts";

export type DeviceRow = typeof device.$inferSelect;

/** Returns false if a device with that name already exists. */
export async function insertDevice(tx: Orm, row: typeof device.$inferInsert): Promise<boolean> {
  const [inserted] = await tx.insert(device).values(row).onConflictDoNothing().returning({ id: device.id });
  if (inserted === undefined) return false;
  await createHead(tx, inserted.id);
  return true;
}

/**
 * Returns whether the device's name is the name of a co-signer, or its co-signer's name is the name of a device. One
 * party's key would then count as two.
 */
export async function standsForBoth(
  orm: Orm,
  { name, coSigner }: { name: string; coSigner: string | null },
): Promise<boolean> {
  const rows = await orm
    .select({ id: device.id })
    .from(device)
    .where(or(eq(device.coSigner, name), coSigner === null ? undefined : eq(device.name, coSigner)))
    .limit(1);
  return rows.length > 0;
}

export async function readDevice(orm: Orm, name: string): Promise<DeviceRow | null> {
  const [row] = await orm.select().from(device).where(eq(device.name, name));
  return row ?? null;
}

interface ListedDevice {
  row: DeviceRow;
  /** Number and time of its last reading. */
  seq: number;
  time: number;
}

/** Returns the device of this name, or none. */
export const devicesNamed = (orm: Orm, name: string) => listDevices(orm, eq(device.name, name), 1);

/** Returns at most `limit` devices whose names come after `name`, by name. */
export const devicesAfter = (orm: Orm, name: string, limit: number) => listDevices(orm, gt(device.name, name), limit);

function listDevices(orm: Orm, where: SQL, limit: number): Promise<ListedDevice[]> {
  return orm
    .select({ row: device, seq: deviceHead.seq, time: deviceHead.time })
    .from(device)
    .innerJoin(deviceHead, eq(deviceHead.device, device.id))
    .where(where)
    .orderBy(asc(device.name))
    .limit(limit);
}

/** Returns false if no device with that name is in service. */
export async function changeSecret(orm: Orm, name: string, secretHash: Uint8Array): Promise<boolean> {
  const inService = and(eq(device.name, name), isNull(device.retiredTime));
  const rows = await orm.update(device).set({ secretHash }).where(inService).returning({ id: device.id });
  return rows.length > 0;
}

/** A retired device stays retired, and its time of retirement does not change. */
export async function retireDevice(orm: Orm, name: string, now: number): Promise<void> {
  await orm
    .update(device)
    .set({ retiredTime: now })
    .where(and(eq(device.name, name), isNull(device.retiredTime)));
}

/** Returns the chains that list a product with that short id. */
export async function chainsOfProduct(orm: Orm, shortId: string): Promise<number[]> {
  const rows = await orm.selectDistinct({ chainId: product.chainId }).from(product).where(eq(product.shortId, shortId));
  return rows.map(({ chainId }) => chainId);
}

/** Returns the start of a device's first bucket, or null if it has none. */
export async function firstBucket(tx: Orm, of: number, span: number): Promise<number | null> {
  const [first] = await tx
    .select({ start: readingBucket.start })
    .from(readingBucket)
    .where(and(eq(readingBucket.device, of), eq(readingBucket.span, span)))
    .orderBy(asc(readingBucket.start))
    .limit(1);
  return first?.start ?? null;
}
