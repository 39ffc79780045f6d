import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Apy } from "@aqua/sdk/maths/apy";
import type { Pool } from "@aqua/sdk/maths/shares";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { type Cursor, type IndexedChain, stampsIn, stampsOf } from "../indexer/stamp.ts";
import { poolAt } from "../indexer/world.ts";
import { headlineApy } from "../product/apy.ts";
import { type PastDay, pastDays } from "../product/flows.ts";
import { type CurrentProduct, currentProducts } from "../product/store.ts";
import { type CurrentTermProduct, currentTermProducts } from "../product/termStore.ts";

/** The current state of a demand deposit, and the data that the figures of every wallet in it need. */
export interface DemandState {
  type: "demand_deposit";
  current: CurrentProduct;
  pool: Pool;
  apy: Apy;
}

export interface TimeState {
  type: "time_deposit";
  current: CurrentTermProduct;
}

/** The products of a chain after one block. The object is immutable. */
export interface ChainState {
  /** Time of the block, Unix seconds. */
  time: number;
  /** Products by address: first the demand deposits, then the time deposits, each in listing order. */
  products: ReadonlyMap<Hex, DemandState | TimeState>;
  /** Reads the history of a demand deposit at the first call and caches it. `tx` must be at this block. */
  pastOf(tx: Orm, product: CurrentProduct["product"]): Promise<readonly PastDay[]>;
}

/** A chain's block in the caller's snapshot, with the state at that block. */
export interface ChainSnapshot<Chain extends IndexedChain = IndexedChain> {
  chain: Chain;
  asOf: AsOf;
  state: ChainState;
}

/**
 * Number of states that are cached for each chain: the newest one, and earlier ones for reads that began before it.
 */
const MAX_STORED = 4;

export type ChainStates = ReturnType<typeof createChainStates>;

/**
 * Caches the state of each chain's products in memory. The key of an entry is the committed position: the registry,
 * the writer's epoch, and the number and hash of the last block. The caller reads the key in the same snapshot as its
 * own rows, so figures of two blocks never mix, regardless of which process wrote them and of reorgs.
 */
export function createChainStates() {
  /** The newest states of each chain by block, oldest first. */
  const byChain = new Map<number, Map<string, Promise<ChainState>>>();

  function find(cursor: Cursor): Promise<ChainState> | null {
    return byChain.get(Number(cursor.chain_id))?.get(keyOf(cursor)) ?? null;
  }

  function store(cursor: Cursor, state: Promise<ChainState>): Promise<ChainState> {
    const chainId = Number(cursor.chain_id);
    const states = byChain.get(chainId) ?? new Map<string, Promise<ChainState>>();
    byChain.set(chainId, states);
    const key = keyOf(cursor);
    states.set(key, state);
    for (const [oldest] of states) {
      if (states.size <= MAX_STORED) break;
      states.delete(oldest);
    }
    state.catch(() => {
      if (states.get(key) === state) states.delete(key);
    });
    return state;
  }

  async function stateAt(tx: Orm, cursor: Cursor, time: number): Promise<ChainState> {
    // The first reader may fail for a reason of its own, such as a broken connection. This reader then reads the
    // state itself.
    const known = await find(cursor)?.catch(() => null);
    return known ?? store(cursor, readState(tx, Number(cursor.chain_id), time));
  }

  return {
    /**
     * Returns the block and state of each chain, or only of chain `only`, in the snapshot of `tx`. The isolation
     * level of `tx` must be `repeatable read`.
     * @throws ApiError `chain_unavailable` if one of the chains has not been indexed
     */
    async at<Chain extends IndexedChain>(
      tx: Orm,
      chains: readonly Chain[],
      only?: number,
    ): Promise<ChainSnapshot<Chain>[]> {
      const snapshots: ChainSnapshot<Chain>[] = [];
      for (const { chain, cursor, asOf } of await stampsOf(tx, chains, only)) {
        snapshots.push({ chain, asOf, state: await stateAt(tx, cursor, asOf.time / 1_000) });
      }
      return snapshots;
    },

    /**
     * Does the same as `at` for cursors that are already read. Returns null if the state of a chain is not in memory.
     */
    async known<Chain extends IndexedChain>(
      read: readonly Cursor[],
      chains: readonly Chain[],
      only?: number,
    ): Promise<ChainSnapshot<Chain>[] | null> {
      const snapshots: ChainSnapshot<Chain>[] = [];
      for (const { chain, cursor, asOf } of stampsIn(read, chains, only)) {
        // If the read of another caller failed, this caller reads the state again.
        const state = await find(cursor)?.catch(() => null);
        if (!state) return null;
        snapshots.push({ chain, asOf, state });
      }
      return snapshots;
    },
  };
}

function keyOf({ product_registry, epoch, block, hash }: Cursor): string {
  return `${product_registry} ${epoch} ${block} ${hash}`;
}

async function readState(tx: Orm, chainId: number, time: number): Promise<ChainState> {
  const products = new Map<Hex, DemandState | TimeState>();
  for (const current of await currentProducts(tx, chainId)) {
    const apy = await headlineApy(tx, current, time);
    products.set(current.product.address, {
      type: "demand_deposit",
      current,
      pool: poolAt(current.vault, time),
      apy,
    });
  }
  for (const current of await currentTermProducts(tx, chainId))
    products.set(current.product.address, { type: "time_deposit", current });
  const pasts = new Map<Hex, Promise<readonly PastDay[]>>();
  return {
    time,
    products,
    async pastOf(ofTx, product) {
      const known = await pasts.get(product.address)?.catch(() => null);
      if (known) return known;
      const past = pastDays(ofTx, { product, now: time });
      pasts.set(product.address, past);
      return past;
    },
  };
}
