import { nameHex } from "@aqua/sdk/proofs/reading";
import { and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, lte, max, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { type Database, isTaken, type Orm } from "../../db/database.ts";
import { anchor, chainCursor, storedHead } from "../../indexer/schema.ts";
import { device, reading, telemetryBatch, telemetryBatchPart } from "../schema.ts";
import type { OwnBatch, StreamHead } from "./standing.ts";

/** A stream of one chain. */
export interface Stream {
  chainId: number;
  shortId: string;
  stream: Hex;
}

/** A device and the number of its readings that are in no batch yet. */
export interface WaitingDevice {
  id: number;
  name: string;
  metric: string;
  exponent: number;
  coSigner: string | null;
  /** Number of the last reading in a batch. 0 if there is none. */
  after: number;
  count: number;
}

export type ReadingRow = Pick<
  typeof reading.$inferSelect,
  "seq" | "time" | "value" | "prev" | "hash" | "signature" | "coSignature"
>;
export type BatchRow = typeof telemetryBatch.$inferSelect;
export type PartRow = typeof telemetryBatchPart.$inferSelect;

const ownColumns = {
  number: telemetryBatch.number,
  previousHead: telemetryBatch.previousHead,
  root: telemetryBatch.root,
  from: telemetryBatch.from,
  to: telemetryBatch.to,
  count: telemetryBatch.count,
  head: telemetryBatch.head,
  dataHash: telemetryBatch.dataHash,
  createTime: telemetryBatch.createTime,
  hash: telemetryBatch.hash,
};

const ofStream = ({ chainId, stream }: Pick<Stream, "chainId" | "stream">) =>
  and(eq(telemetryBatch.chainId, chainId), eq(telemetryBatch.stream, stream));

/** Returns every product of a chain that ever had a device. */
export async function streamsOf(orm: Orm, chainId: number): Promise<Stream[]> {
  const rows = await orm
    .selectDistinct({ shortId: device.shortId })
    .from(device)
    .where(eq(device.chainId, chainId))
    .orderBy(asc(device.shortId));
  return rows.map(({ shortId }) => ({ chainId, shortId, stream: nameHex(shortId) }));
}

/** Returns whether the tables of a chain are at its head. */
export async function isFollowed(orm: Orm, chainId: number): Promise<boolean> {
  const [row] = await orm
    .select({ state: chainCursor.state })
    .from(chainCursor)
    .where(eq(chainCursor.chainId, chainId));
  return row?.state === "live";
}

export async function lastAnchored(
  orm: Orm,
  { chainId, stream }: Pick<Stream, "chainId" | "stream">,
): Promise<StreamHead | null> {
  const [row] = await orm
    .select({ number: anchor.number, head: anchor.head })
    .from(anchor)
    .where(and(eq(anchor.chainId, chainId), eq(anchor.stream, stream)))
    .orderBy(desc(anchor.number))
    .limit(1);
  return row ?? null;
}

export async function lastKept(orm: Orm, { chainId, stream }: Stream): Promise<number> {
  const [row] = await orm
    .select({ number: max(storedHead.number) })
    .from(storedHead)
    .where(and(eq(storedHead.chainId, chainId), eq(storedHead.stream, stream)));
  return row?.number ?? 0;
}

/** Returns our batches from this number on: the batch with the number and the one after it. */
export function ownBatches(orm: Orm, of: Stream, number: number): Promise<OwnBatch[]> {
  return orm
    .select(ownColumns)
    .from(telemetryBatch)
    .where(and(ofStream(of), gte(telemetryBatch.number, number)))
    .orderBy(asc(telemetryBatch.number))
    .limit(2);
}

/** Returns the number of the last batch stored here. 0 if there is none. */
export async function lastOwn(orm: Orm, of: Pick<Stream, "chainId" | "stream">): Promise<number> {
  const [row] = await orm
    .select({ number: max(telemetryBatch.number) })
    .from(telemetryBatch)
    .where(ofStream(of));
  return row?.number ?? 0;
}

/** A batch by its number, and the hash of its file. */
export interface NamedFile {
  number: number;
  dataHash: Hex;
}

/** Returns the batches up to this number whose files are stored here, in their order. */
export function filesUpTo(orm: Orm, of: Stream, number: number): Promise<NamedFile[]> {
  return orm
    .select({ number: telemetryBatch.number, dataHash: telemetryBatch.dataHash })
    .from(telemetryBatch)
    .where(and(ofStream(of), lte(telemetryBatch.number, number), isNotNull(telemetryBatch.file)))
    .orderBy(asc(telemetryBatch.number));
}

/** Returns the last batch before this number whose file is stored here, or null if there is none. */
export async function fileBefore(orm: Orm, of: Stream, number: number): Promise<NamedFile | null> {
  const [row] = await orm
    .select({ number: telemetryBatch.number, dataHash: telemetryBatch.dataHash })
    .from(telemetryBatch)
    .where(and(ofStream(of), lt(telemetryBatch.number, number), isNotNull(telemetryBatch.file)))
    .orderBy(desc(telemetryBatch.number))
    .limit(1);
  return row ?? null;
}

/** Returns the file of a batch, compressed with gzip, or null if it is not stored here. */
export async function fileOf(orm: Orm, of: Stream, number: number): Promise<Uint8Array | null> {
  const [row] = await orm
    .select({ file: telemetryBatch.file })
    .from(telemetryBatch)
    .where(and(ofStream(of), eq(telemetryBatch.number, number)));
  return row?.file ?? null;
}

/** Returns the batches on chain after this number, in their order. */
export function anchoredAfter(
  orm: Orm,
  { of: { chainId, stream }, number, most }: { of: Stream; number: number; most: number },
) {
  return orm
    .select({ number: anchor.number, dataHash: anchor.dataHash })
    .from(anchor)
    .where(and(eq(anchor.chainId, chainId), eq(anchor.stream, stream), gt(anchor.number, number)))
    .orderBy(asc(anchor.number))
    .limit(most);
}

/** Returns the devices of a product that have waiting readings. The count of each device stops at `most`. */
export async function waitingReadings(orm: Orm, { chainId, shortId }: Stream, most: number): Promise<WaitingDevice[]> {
  const after = sql<string>`coalesce((select max(${telemetryBatchPart.lastSeq}) from ${telemetryBatchPart}
    where ${telemetryBatchPart.device} = ${device.id}), 0)`;
  const rows = await orm
    .select({
      id: device.id,
      name: device.name,
      metric: device.metric,
      exponent: device.exponent,
      coSigner: device.coSigner,
      after,
    })
    .from(device)
    .where(and(eq(device.chainId, chainId), eq(device.shortId, shortId)));
  const devices: WaitingDevice[] = [];
  for (const row of rows) {
    const after = Number(row.after);
    const some = orm
      .select({ seq: reading.seq })
      .from(reading)
      .where(and(eq(reading.device, row.id), gt(reading.seq, after)))
      .orderBy(asc(reading.seq))
      .limit(most)
      .as("some");
    const [counted] = await orm.select({ count: sql<string>`count(*)` }).from(some);
    const count = Number(counted?.count ?? 0);
    if (count > 0) devices.push({ ...row, after, count });
  }
  return devices;
}

/** Returns the first `most` readings of a device after this number, in their order. */
export function readingsAfter(
  orm: Orm,
  { deviceId, after, most }: { deviceId: number; after: number; most: number },
): Promise<ReadingRow[]> {
  return orm
    .select({
      seq: reading.seq,
      time: reading.time,
      value: reading.value,
      prev: reading.prev,
      hash: reading.hash,
      signature: reading.signature,
      coSignature: reading.coSignature,
    })
    .from(reading)
    .where(and(eq(reading.device, deviceId), gt(reading.seq, after)))
    .orderBy(asc(reading.seq))
    .limit(most);
}

/** Returns false and writes nothing if another process has already built the batch with this number. */
export async function insertBatch(db: Database, batch: BatchRow, parts: readonly PartRow[]): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await tx.insert(telemetryBatch).values(batch);
      await tx.insert(telemetryBatchPart).values([...parts]);
    });
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    // The message of the query would contain the whole file.
    throw error instanceof Error && error.cause !== undefined ? error.cause : error;
  }
}

/**
 * Records the transaction that is about to be sent for a batch. Returns false if another process has sent one since
 * the row was read.
 */
export async function noteSent(
  orm: Orm,
  { of, batch: { number, hash }, next }: { of: Stream; batch: OwnBatch; next: Hex },
): Promise<boolean> {
  const isUnchanged = hash === null ? isNull(telemetryBatch.hash) : eq(telemetryBatch.hash, hash);
  const rows = await orm
    .update(telemetryBatch)
    .set({ hash: next })
    .where(and(ofStream(of), eq(telemetryBatch.number, number), isUnchanged))
    .returning({ number: telemetryBatch.number });
  return rows.length > 0;
}
