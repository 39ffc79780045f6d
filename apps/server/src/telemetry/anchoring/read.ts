import { and, asc, desc, eq, gt, gte, inArray, lte, min, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import type { Orm } from "../../db/database.ts";
import { anchor, storedHead } from "../../indexer/schema.ts";
import { device, reading, telemetryBatch, telemetryBatchPart } from "../schema.ts";
import { lastAnchored } from "./store.ts";

export type AnchorRow = typeof anchor.$inferSelect;
const before = alias(anchor, "before");

/** Fields of a batch on chain: its row, the previous head, and whether the server has its file. */
export interface TellableAnchor {
  anchor: AnchorRow;
  /** Null for the first batch of a stream. */
  previousHead: Hex | null;
  file: boolean;
}

const columns = { anchor, previousHead: before.head, file: sql<boolean>`${telemetryBatch.file} is not null` };

/** Selects batches with the batch before each, and with our batch of the same head. */
function anchors(tx: Orm) {
  return tx
    .select(columns)
    .from(anchor)
    .leftJoin(
      before,
      and(
        eq(before.chainId, anchor.chainId),
        eq(before.stream, anchor.stream),
        eq(before.number, sql`${anchor.number} - 1`),
      ),
    )
    .leftJoin(
      telemetryBatch,
      and(
        eq(telemetryBatch.chainId, anchor.chainId),
        eq(telemetryBatch.stream, anchor.stream),
        eq(telemetryBatch.number, anchor.number),
        eq(telemetryBatch.head, anchor.head),
      ),
    );
}

/** Reads the batches of these streams, newest first. */
export async function anchorsOf(
  tx: Orm,
  streams: readonly { chainId: number; stream: Hex }[],
  page: { limit: number; offset: number },
): Promise<{ rows: TellableAnchor[]; total: number }> {
  let total = 0;
  // The batches of a stream are numbered without gaps, so the last number is the count. It is read through an index.
  for (const one of streams) total += (await lastAnchored(tx, one))?.number ?? 0;
  if (total === 0) return { rows: [], total };
  const chainIds = [...new Set(streams.map(({ chainId }) => chainId))];
  const byChain = chainIds.map((chainId) =>
    and(
      eq(anchor.chainId, chainId),
      inArray(
        anchor.stream,
        streams.filter((one) => one.chainId === chainId).map(({ stream }) => stream),
      ),
    ),
  );
  const rows = await anchors(tx)
    .where(or(...byChain))
    // The clocks only decide the order between chains. Within one chain, the table's key has the blocks in order.
    .orderBy(...(chainIds.length > 1 ? [desc(anchor.time)] : []), desc(anchor.block), desc(anchor.logIndex))
    .limit(page.limit)
    .offset(page.offset);
  return { rows, total };
}

/** Returns one of our batches with its file as the chain holds it, or null if the chain does not hold it. */
export async function anchoredFile(
  tx: Orm,
  { chainId, stream, number }: { chainId: number; stream: Hex; number: number },
): Promise<(TellableAnchor & { bytes: Uint8Array }) | null> {
  const [row] = await anchors(tx)
    .where(and(eq(anchor.chainId, chainId), eq(anchor.stream, stream), eq(anchor.number, number)))
    .limit(1);
  if (!row?.file) return null;
  const [batch] = await tx
    .select({ bytes: telemetryBatch.file })
    .from(telemetryBatch)
    .where(
      and(eq(telemetryBatch.chainId, chainId), eq(telemetryBatch.stream, stream), eq(telemetryBatch.number, number)),
    );
  return batch?.bytes ? { ...row, bytes: batch.bytes } : null;
}

/**
 * Returns the batches after `number` in their order, up to the nearest stored head or the current head of the stream.
 */
export async function laterAnchors(tx: Orm, { chainId, stream, number }: AnchorRow): Promise<AnchorRow[]> {
  const [stored] = await tx
    .select({ number: min(storedHead.number) })
    .from(storedHead)
    .where(and(eq(storedHead.chainId, chainId), eq(storedHead.stream, stream), gte(storedHead.number, number)));
  const end = stored?.number ?? null;
  return tx
    .select()
    .from(anchor)
    .where(
      and(
        ...[eq(anchor.chainId, chainId), eq(anchor.stream, stream), gt(anchor.number, number)],
        end === null ? undefined : lte(anchor.number, end),
      ),
    )
    .orderBy(asc(anchor.number));
}

export async function deviceOf(tx: Orm, name: string) {
  const [row] = await tx
    .select({ id: device.id, name: device.name, chainId: device.chainId })
    .from(device)
    .where(eq(device.name, name));
  return row ?? null;
}

/** Returns the batch that contains a device's reading, or null while the reading waits for one. */
export async function batchOf(tx: Orm, deviceId: number, seq: number) {
  const { chainId, stream, number } = telemetryBatchPart;
  const [row] = await tx
    .select({ chainId, stream, number })
    .from(telemetryBatchPart)
    .where(
      and(
        eq(telemetryBatchPart.device, deviceId),
        gte(telemetryBatchPart.lastSeq, seq),
        lte(telemetryBatchPart.firstSeq, seq),
      ),
    )
    .orderBy(asc(telemetryBatchPart.lastSeq))
    .limit(1);
  return row ?? null;
}

export async function isKept(tx: Orm, deviceId: number, seq: number): Promise<boolean> {
  const rows = await tx
    .select({ seq: reading.seq })
    .from(reading)
    .where(and(eq(reading.device, deviceId), eq(reading.seq, seq)))
    .limit(1);
  return rows.length > 0;
}
