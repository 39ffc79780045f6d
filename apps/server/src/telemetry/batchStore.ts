import type { HexText } from "@aqua/sdk/proofs/reading";
import { and, eq, inArray, max } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { anchor } from "../indexer/schema.ts";
import { telemetryBatch, telemetryBatchPart } from "./schema.ts";

/** A stream of one chain. */
interface Stream {
  chainId: number;
  stream: HexText;
}

/** Reads the batches that the chain holds under these numbers. */
export function anchorsOf(tx: Orm, { chainId, stream }: Stream, numbers: readonly number[]) {
  return tx
    .select()
    .from(anchor)
    .where(and(eq(anchor.chainId, chainId), eq(anchor.stream, stream), inArray(anchor.number, [...numbers])));
}

/** Returns the heads of the batches stored here under these numbers, and the last stored number. */
export async function storedBatches(
  tx: Orm,
  { chainId, stream }: Stream,
  numbers: readonly number[],
): Promise<{ heads: Map<number, HexText>; last: number }> {
  const ofStream = and(eq(telemetryBatch.chainId, chainId), eq(telemetryBatch.stream, stream));
  const rows = await tx
    .select({ number: telemetryBatch.number, head: telemetryBatch.head })
    .from(telemetryBatch)
    .where(and(ofStream, inArray(telemetryBatch.number, [...numbers])));
  const [newest] = await tx
    .select({ number: max(telemetryBatch.number) })
    .from(telemetryBatch)
    .where(ofStream);
  return { heads: new Map(rows.map(({ number, head }) => [number, head])), last: newest?.number ?? 0 };
}

export async function insertBatches(
  tx: Orm,
  batches: readonly (typeof telemetryBatch.$inferInsert)[],
  parts: readonly (typeof telemetryBatchPart.$inferInsert)[],
): Promise<void> {
  if (batches.length > 0) await tx.insert(telemetryBatch).values([...batches]);
  if (parts.length > 0) await tx.insert(telemetryBatchPart).values([...parts]);
}
