import { createRecomputation } from "@aqua/sdk/audit/recompute";
import type { Rows } from "@aqua/sdk/audit/rows";
import { compareState, type StateDifference } from "@aqua/sdk/audit/state";
import type { ChainClient } from "@aqua/sdk/chain/client";
import type { Deployment } from "@aqua/sdk/deployment";
import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import type { Database, Orm } from "../db/database.ts";
import { chainCursor } from "../indexer/schema.ts";
import { type Comparison, compareRows, rowsBeyond, unreachedProducts } from "./rows.ts";

export interface ChainAuditParts {
  db: Database;
  client: ChainClient;
  chainId: number;
  deployment: Deployment;
  /** Blocks closer to the head than this are not compared yet, because they may be replaced. */
  confirmations: number;
}

export type Step =
  /**
   * The next rows, up to those of block `to`, were compared. `from` is null for the first ones: a row that claims an
   * earlier block must not exist, nor may one that claims a block after `head`, the chain's newest one.
   */
  | ({ kind: "compared"; from: number | null; to: number; head: number } & Comparison)
  /** Every block that can be compared was compared. */
  | { kind: "done" }
  /** Nothing can be compared now: the tables are behind the node, or on another branch. */
  | { kind: "waiting" }
  /** The audit starts again from the first block, because the chain replaced blocks that it had compared. */
  | { kind: "restarted" };

export interface ChainAudit {
  /** Compares some more blocks. */
  step(): Promise<Step>;
  /**
   * Compares the accounts after the last compared block with the contracts. Differences mean that the node left out
   * events, so that no row may be judged by them. Empty if the node has no state of that block.
   */
  contradictions(): Promise<StateDifference[]>;
}

interface Pending {
  from: number | null;
  to: number;
  rows: Rows;
  introduced: Hex[];
}

interface Cursor {
  block: number;
  hash: Hex;
}

const FIRST_SPAN = 64;
const MOST_SPAN = 5_000;
/** A step with more rows than this is followed by a shorter one, so that no step holds up other work for long. */
const MANY_ROWS = 500;
/**
 * Recomputes a chain's rows from its events and compares them with the tables, from the first block to the last one
 * that is final. It reads the tables and never writes to them.
 */
export function createChainAudit({ db, client, chainId, deployment, confirmations }: ChainAuditParts): ChainAudit {
  const start = () => createRecomputation({ client, chainId, deployment });
  let recomputation = start();
  /** The last recomputed block, by which a replaced branch is noticed. */
  let last: Cursor | null = null;
  let pending: Pending | null = null;
  let span = FIRST_SPAN;

  const hashAt = async (block: number) => (await client.getBlock({ blockNumber: BigInt(block) })).hash;

  function restart(): Step {
    recomputation = start();
    [last, pending, span] = [null, null, FIRST_SPAN];
    return { kind: "restarted" };
  }

  /** Null if the chain replaced the blocks while they were read. */
  async function recomputeNext(bound: number): Promise<Pending | null> {
    const from = recomputation.next();
    const to = Math.min(bound, from + span - 1);
    const hash = await hashAt(to);
    const before = new Set([...recomputation.ledger.vaults.keys(), ...recomputation.ledger.timeDeposits.keys()]);
    const rows = await recomputation.advance(to);
    // Blocks before these may have been replaced too, so that the ledger holds the events of two branches.
    const isReplaced = last !== null && (await hashAt(last.block)) !== last.hash;
    if (isReplaced || (await hashAt(to)) !== hash) return null;
    const introduced = rows.product.map(({ address }) => address).filter((address) => !before.has(address));
    last = { block: to, hash };
    const count = Object.values(rows).reduce((sum, some) => sum + some.length, 0);
    span = count > MANY_ROWS ? Math.max(1, span >> 1) : Math.min(MOST_SPAN, span * 2);
    return { from: from === deployment.start_block ? null : from, to, rows, introduced };
  }

  /** Null if the tables are not on the node's branch. */
  async function compare({ from, to, rows, introduced }: Pending): Promise<Comparison | null> {
    const found = await db.transaction(async (tx) => {
      const cursor = await cursorOf(tx, chainId);
      if (cursor === null || cursor.block < to) return null;
      const unreached = await unreachedProducts(tx, chainId, to);
      const scope = { chainId, from, to, introduced, unreached };
      const { figures, differences } = await compareRows(tx, rows, scope);
      differences.push(...(await rowsBeyond(tx, { chainId, cursor: cursor.block })));
      return { cursor, figures, differences };
    }, "repeatable read");
    if (found === null || (await hashAt(found.cursor.block)) !== found.cursor.hash) return null;
    return found;
  }

  return {
    async contradictions() {
      return last === null ? [] : ((await compareState(client, recomputation.ledger, last.block)) ?? []);
    },
    async step() {
      const head = Number(await client.getBlockNumber({ cacheTime: 0 }));
      const cursor = await cursorOf(db.orm, chainId);
      if (cursor === null || cursor.block > head) return { kind: "waiting" };
      if (last !== null && (last.block > head || (await hashAt(last.block)) !== last.hash)) return restart();
      if (pending === null) {
        const bound = Math.min(cursor.block, head - confirmations);
        if (recomputation.next() > bound) return { kind: cursor.block < head - confirmations ? "waiting" : "done" };
        const next = recomputation.next();
        try {
          pending = await recomputeNext(bound);
        } catch (error) {
          // Rows that were recomputed and are not pending would never be compared.
          if (recomputation.next() !== next || error instanceof RangeError) restart();
          throw error;
        }
        if (pending === null) return restart();
      }
      let comparison = await compare(pending);
      // A second look excludes a change between two reads.
      if (comparison !== null && comparison.differences.length > 0) comparison = await compare(pending);
      if (comparison === null) return { kind: "waiting" };
      const { from, to } = pending;
      pending = null;
      return { kind: "compared", from, to, head, ...comparison };
    },
  };
}

async function cursorOf(tx: Orm, chainId: number): Promise<Cursor | null> {
  const [row] = await tx
    .select({ block: chainCursor.block, hash: chainCursor.hash })
    .from(chainCursor)
    .where(eq(chainCursor.chainId, chainId));
  return row?.block == null || row.hash === null ? null : { block: row.block, hash: row.hash };
}
