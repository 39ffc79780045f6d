import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Deployment } from "@aqua/sdk/deployment";
import { eq, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Database, Orm } from "../db/database.ts";
import { list, listOf, statement } from "../db/statement.ts";
import { ApiError } from "../errors.ts";
import { chainCursor } from "./schema.ts";

/** A chain whose tables the features read. */
export interface IndexedChain {
  chainId: number;
  /** Null if only the node is offered and nothing is indexed. */
  deployment: Deployment | null;
  status: () => { state: string } | null;
}

/**
 * Returns the block to which the tables of a chain are applied, read in the caller's snapshot. Returns null before
 * the first block is applied. `stale` is true unless its indexer is at the head now.
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

/** The row that the writer of a chain changes with every applied block, in the form that raw queries return. */
export interface Cursor {
  chain_id: string;
  product_registry: Hex;
  epoch: string;
  block: string | null;
  hash: Hex | null;
  time: string | null;
}

/** Columns of `Cursor`, of the relation `c`. */
export const cursorColumns = sql.raw("c.chain_id, c.product_registry, c.epoch, c.block, c.hash, c.time");

const cursors = statement<{ chains: string }, Cursor>(
  "chain_cursors",
  sql`select ${cursorColumns} from chain_cursor c where c.chain_id = any(${list("chains", "bigint")}::bigint[]) order by c.chain_id`,
);

/**
 * Returns the block of each chain, or only of chain `only`, in the caller's snapshot. Throws `chain_unavailable` if
 * one of them has not been indexed, because a list or a total without it would look complete but be wrong.
 */
export async function stampsOf<Chain extends IndexedChain>(tx: Orm, chains: readonly Chain[], only?: number) {
  const read = await cursors(tx, { chains: listOf(chains.map(({ chainId }) => chainId)) });
  return stampsIn(read, chains, only);
}

/** Does the same for cursors that are already read. */
export function stampsIn<Chain extends IndexedChain>(
  read: readonly Cursor[],
  chains: readonly Chain[],
  only: number | undefined,
) {
  const byChain = new Map(read.map((cursor) => [Number(cursor.chain_id), cursor]));
  const selected = chains.filter(({ chainId }) => only === undefined || only === chainId);
  return selected.map((chain) => {
    const { chainId } = chain;
    const cursor = byChain.get(chainId);
    if (!cursor || cursor.block === null || cursor.time === null)
      throw new ApiError("chain_unavailable", `Chain ${chainId} has not been indexed yet; try again soon`);
    const [block, time] = [Number(cursor.block), Number(cursor.time) * 1_000];
    const asOf: AsOf = { chain_id: chainId, block, time, stale: isStale(chain) };
    return { chain, cursor, asOf };
  });
}

/** One row, so that a version costs one query. The number of documents shows whether there are new ones. */
const version = statement<{ chains: string }, { cursors: string | null; documents: string }>(
  "tables_version",
  sql`select (select count(*) from product_document) as documents,
      (select json_agg(json_build_array(${cursorColumns}) order by c.chain_id)::text
        from chain_cursor c where c.chain_id = any(${list("chains", "bigint")}::bigint[])) as cursors`,
);

/**
 * Reads, in one query, the state on which every response from the tables of these chains depends, as a text. For each
 * chain this is the last applied block, whose hash distinguishes branches; the writer's epoch, which grows when the
 * tables are filled again; and whether its figures are stale. Equal texts mean equal tables. Reads the state of a
 * snapshot or, without one, the current state.
 * @param load called outside a snapshot with the number of stored documents, before the version is returned
 */
export function versionReader(
  { orm }: Pick<Database, "orm">,
  chains: readonly IndexedChain[],
  load: (documents: number) => Promise<void> = async () => {},
): (tx?: Orm) => Promise<string> {
  const parameters = { chains: listOf(chains.map(({ chainId }) => chainId)) };
  return async (tx) => {
    const [row] = await version(tx ?? orm, parameters);
    if (tx === undefined) await load(Number(row?.documents));
    return JSON.stringify([row?.cursors, chains.map(isStale)]);
  };
}

/** Returns the stamp of a total over several chains: the oldest stamp, and stale if any of them is. */
export function oldest(stamped: readonly AsOf[]): AsOf {
  const [first] = [...stamped].sort((a, b) => a.time - b.time);
  if (!first) throw new ApiError("chain_unavailable", "No chain is indexed here");
  return { ...first, stale: stamped.some((asOf) => asOf.stale) };
}
