import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Deployment } from "@aqua/sdk/deployment";
import { eq } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { chainCursor } from "./schema.ts";

/** A chain whose tables the features read. */
export interface IndexedChain {
  chainId: number;
  /** Null where only the node is offered and nothing is indexed. */
  deployment: Deployment | null;
  status: () => { state: string } | null;
}

/**
 * The block the tables of a chain stand at, read in the caller's snapshot; null before the first block is applied.
 * `stale` unless its indexer is at the head right now.
 */
export async function stampOf(tx: Orm, chain: IndexedChain): Promise<AsOf | null> {
  const [row] = await tx
    .select({ block: chainCursor.block, time: chainCursor.time })
    .from(chainCursor)
    .where(eq(chainCursor.chainId, chain.chainId));
  if (!row || row.block === null || row.time === null) return null;
  return {
    chain_id: chain.chainId,
    block: row.block,
    time: row.time * 1_000,
    stale: chain.status()?.state !== "live",
  };
}
