import { and, asc, desc, eq, gt } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { queueBatch, vaultState, withdrawalRequest } from "../indexer/schema.ts";
import type { Product, QueueBatch } from "../indexer/world.ts";

/**
 * Reads the newest requests of a queue, newest first. Each is in its original form, with the vault right after it.
 */
export function requestsMade(tx: Orm, product: Product, limit: number) {
  const requests = tx
    .selectDistinctOn([withdrawalRequest.start])
    .from(withdrawalRequest)
    .where(and(eq(withdrawalRequest.chainId, product.chainId), eq(withdrawalRequest.product, product.address)))
    .orderBy(desc(withdrawalRequest.start), asc(withdrawalRequest.block), asc(withdrawalRequest.logIndex))
    .limit(limit)
    .as("place");
  return tx
    .select()
    .from(requests)
    .innerJoin(
      vaultState,
      and(
        eq(vaultState.chainId, requests.chainId),
        eq(vaultState.block, requests.block),
        eq(vaultState.logIndex, requests.logIndex),
      ),
    )
    .orderBy(desc(requests.start));
}

/** Reads the processings that end beyond `from` shares of the queue, in queue order. */
export function batchesBeyond(tx: Orm, product: Product, from: bigint): Promise<QueueBatch[]> {
  return tx
    .select()
    .from(queueBatch)
    .where(
      and(eq(queueBatch.chainId, product.chainId), eq(queueBatch.product, product.address), gt(queueBatch.end, from)),
    )
    .orderBy(asc(queueBatch.end));
}
