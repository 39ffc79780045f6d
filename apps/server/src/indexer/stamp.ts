import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Deployment } from "@aqua/sdk/deployment";
import { eq } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
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
    stale: isStale(chain),
  };
}

function isStale({ status }: IndexedChain): boolean {
  return status()?.state !== "live";
}

/**
 * Where each chain, or `only` one, stands. Throws `chain_unavailable` where one has not been indexed: a list or a total
 * that leaves it out would look complete and not be.
 */
export async function stampsOf<Chain extends IndexedChain>(
  tx: Orm,
  chains: readonly Chain[],
  only?: number,
): Promise<{ chain: Chain; asOf: AsOf }[]> {
  const known = [];
  for (const chain of chains) {
    if (only !== undefined && only !== chain.chainId) continue;
    const asOf = await stampOf(tx, chain);
    if (!asOf)
      throw new ApiError("chain_unavailable", `Chain ${chain.chainId} has not been indexed yet; try again soon`);
    known.push({ chain, asOf });
  }
  return known;
}

/**
 * Reads, in one query, what every answer from the tables of these chains depends on, as a text: the block each chain is
 * applied to, whose hash tells one history from another, the writer's epoch, which grows when the tables are filled anew,
 * and whether its figures are stale. Equal texts mean equal tables. As a snapshot has them or, without one, as they are now.
 */
export function versionReader(
  { orm }: Pick<Database, "orm">,
  chains: readonly IndexedChain[],
): (tx?: Orm) => Promise<string> {
  const now = cursorsOf(orm).prepare("version_of_chains");
  return async (tx) => {
    const cursors = await (tx ? cursorsOf(tx) : now.execute());
    return JSON.stringify([cursors, chains.map(isStale)]);
  };
}

function cursorsOf(orm: Orm) {
  const { chainId, block, hash, time, epoch } = chainCursor;
  return orm.select({ chainId, block, hash, time, epoch }).from(chainCursor).orderBy(chainId);
}

/** The stamp of a total over several chains: the oldest of theirs, stale when any is. */
export function oldest(stamped: readonly AsOf[]): AsOf {
  const [first] = [...stamped].sort((a, b) => a.time - b.time);
  if (!first) throw new ApiError("chain_unavailable", "No chain is indexed here");
  return { ...first, stale: stamped.some((asOf) => asOf.stale) };
}
