import type { Hex } from "viem";
import { blockOf, CHECKED_BLOCKS, type Fetched, type Fetcher, inParallel } from "./fetch.ts";
import { compareFigures } from "./figures.ts";
import { type ChainBlock, type Node, NodeError } from "./node.ts";
import { replay } from "./replay.ts";
import type { IndexerStore, StoredBlock } from "./store.ts";
import { emptyWorld, type NewRows, type Product, type World } from "./world.ts";

export interface FollowerParts {
  node: Node;
  store: IndexerStore;
  fetcher: Fetcher;
  chainId: number;
  startBlock: number;
  /** Blocks closer to the head than this are read one by one, and their hash is checked. */
  confirmations: number;
  /** Number of recent blocks whose hashes are stored. This is the deepest reorg that can be followed. */
  keepBlocks: number;
  /**
   * True if one node is the whole chain (the local chain). If it has fewer blocks than the tables, the chain itself
   * has lost them. On other chains, a node with an older head only lags, and nothing is rolled back.
   */
  soleNode: boolean;
  /** Milliseconds by which each commit extends the lease. */
  leaseMs: number;
  /** Maximum number of events in one step of a backfill, unless a single block holds more. */
  stepEvents: number;
  /** Rows of wallets and receipts that stay in memory. */
  keptRows: number;
  /** Whether the tables were at the head before. In that case a few blocks that arrive at once are not a backfill. */
  isLive(): boolean;
  /** After the signal aborts, nothing more is written. */
  signal: AbortSignal;
  log: { warn(fields: object, message: string): void };
}

export interface Applied {
  how: "backfill" | "live" | "reorg";
  rows: NewRows;
  cursor: StoredBlock | null;
}

export type Step =
  | { kind: "applied"; head: ChainBlock; applied: Applied }
  /** The head is already applied. */
  | { kind: "idle"; head: ChainBlock }
  /** The node is behind the applied block, or the chain has not reached the first block. */
  | { kind: "behind"; head: ChainBlock }
  | { kind: "too_deep"; head: ChainBlock };

/** Blocks that are read and replayed, but not written. */
interface Prepared {
  head: ChainBlock;
  how: Applied["how"];
  fetched: Fetched;
  to: StoredBlock | null;
  base: { world: World; at: number; rollbackTo: number | null };
  rows: NewRows;
  isCompared: boolean;
}

export interface Follower {
  /** Clears the state in memory and reads the cursor from the tables. Must be called after any failure. */
  load(): Promise<void>;
  /**
   * Applies one block, one range or one reorg.
   * @throws NodeError, FiguresDiffer, LeaseLost or the database's error
   */
  step(epoch: number): Promise<Step>;
  cursor(): StoredBlock | null;
  products(): ReadonlyMap<Hex, Product>;
}

/** Up to this many blocks above the confirmations are read block by block. */
const LIVE_GAP = 16;
/** Distances from the end of a backfill at which a hash is stored even if the block has no event. */
const CHECKPOINTS = [4, 8, 16, 32, 64, 128, 256];
/**
 * Maximum number of blocks in a backfill step that also reads headers. A busy node rejects some requests, and they
 * are repeated.
 */
const CHECKED_SPAN = 64;
/**
 * Number of blocks between two comparisons of the tables with the contracts. Near the end of a backfill, every step
 * compares them.
 */
const COMPARED_EVERY = 512;
/** Every full node has the state of this many recent blocks. Only an archive node has older state. */
const STATE_BLOCKS = 128;
/**
 * Longest time to write the events of one backfill step, so that the indexer stops in time, and the minimum number of
 * events when a step takes longer.
 */
const STEP_MS = 500;
const MIN_EVENTS = 50;

export function createFollower(parts: FollowerParts): Follower {
  const { node, store, fetcher, chainId, startBlock, signal } = parts;
  const { confirmations, keepBlocks, soleNode, leaseMs, stepEvents, keptRows, isLive, log } = parts;
  const fewest = Math.min(MIN_EVENTS, stepEvents);
  let cursor: StoredBlock | null = null;
  let products = new Map<Hex, Product>();
  let world: World = emptyWorld();
  /** The next step of a backfill, which is prepared while the last one is written. */
  let ahead: Promise<Prepared | null> | null = null;
  /** Maximum number of events in the next step of a backfill. */
  let most = fewest;
  /** The block at which the tables and the contracts were last compared. */
  let compared: number | null = null;
  /** True if the node was asked for the state of a block and did not have it. */
  let lacksState = false;

  const known = () => ({ products, queues: world.queues });

  /** Replays blocks on `base`. Nothing is written. */
  async function prepare({ head, how, fetched, to, base }: Omit<Prepared, "rows" | "isCompared">): Promise<Prepared> {
    const isDue = to !== null && isComparisonDue(how, to, head);
    await store.loadWorld(base.world, {
      events: fetched.events,
      products: isDue ? products.values() : [],
      upTo: base.at,
    });
    const rows = replay(chainId, base.world, fetched.events);
    if (to && how !== "reorg") {
      await compare(base.world, [...(isDue ? products.values() : []), ...fetched.products], { at: to, head });
    }
    return { head, how, fetched, to, base, rows, isCompared: isDue };
  }

  /** Makes prepared blocks part of the state in memory. They must then be written. */
  function accept({ base, fetched, to, isCompared }: Prepared): void {
    world = sizeOf(base.world) > keptRows ? withoutWallets(base.world) : base.world;
    for (const product of fetched.products) products.set(product.address, product);
    if (isCompared && to) compared = to.number;
  }

  async function write(epoch: number, { head, how, fetched, to, base, rows }: Prepared): Promise<Step> {
    signal.throwIfAborted();
    const forgetTo = (to?.number ?? startBlock) - keepBlocks;
    await store.apply({
      epoch,
      leaseMs,
      rollbackTo: base.rollbackTo,
      rows,
      products: fetched.products,
      cursor: to,
      head,
      state: to?.number === head.number || (how === "live" && isLive()) ? "live" : "backfill",
      forgetTo,
      blocks: fetched.blocks.filter((block) => block.number > forgetTo),
    });
    cursor = to;
    return { kind: "applied", head, applied: { how, rows, cursor } };
  }

  function isComparisonDue(how: Applied["how"], to: StoredBlock, head: ChainBlock): boolean {
    if (how === "reorg") return false;
    if (how === "backfill" && to.number >= head.number - CHECKED_BLOCKS) return true;
    return compared === null || to.number - compared >= COMPARED_EVERY;
  }

  /**
   * Compares before anything is written, if the node has the state. If logs are missing, they are requested again.
   */
  async function compare(
    after: World,
    those: readonly Product[],
    { at, head }: { at: StoredBlock; head: ChainBlock },
  ): Promise<void> {
    if (lacksState && head.number - at.number > STATE_BLOCKS) return;
    const isAnswered = await compareFigures(node, { world: after, products: those, block: at });
    if (!isAnswered && !lacksState) {
      log.warn({ chain_id: chainId, block: at.number }, "the node has no state to compare the tables with");
    }
    lacksState = !isAnswered;
  }

  /**
   * Compares the existing tables, because an earlier version may have filled them from a node that lacked some logs.
   */
  async function compareTables(head: ChainBlock): Promise<void> {
    if (!cursor || compared !== null) return;
    await store.loadWorld(world, { events: [], products: products.values(), upTo: cursor.number });
    await compare(world, [...products.values()], { at: cursor, head });
    compared = cursor.number;
  }

  /** Prepares the next range of a backfill. Returns null if it does not continue the block `after`. */
  async function prepareRange(head: ChainBlock, after: StoredBlock | null): Promise<Prepared | null> {
    const from = after ? after.number + 1 : startBlock;
    const end = head.number - confirmations;
    const checkedFrom = head.number - CHECKED_BLOCKS;
    const to = Math.min(end, from < checkedFrom ? checkedFrom - 1 : from + CHECKED_SPAN - 1);
    const fetched = await fetcher.range({ from, to, most, checkedFrom }, known());
    if (after && fetched.first.parentHash !== after.hash) return null;
    const { last } = fetched;
    const have = new Set(fetched.blocks.map((block) => block.number));
    const missing = CHECKPOINTS.map((distance) => end - distance).filter(
      (number) => number >= from && number < last.number && !have.has(number),
    );
    fetched.blocks.push(...(await inParallel(missing, (number) => blockOf(node, number))).map(stored));
    const base = { world, at: from - 1, rollbackTo: null };
    return prepare({ head, how: "backfill", fetched, to: stored(last), base });
  }

  async function backfill(epoch: number, head: ChainBlock): Promise<Step> {
    const prepared = await (ahead ?? prepareRange(head, cursor));
    ahead = null;
    if (!prepared) return diverged(epoch, head);
    accept(prepared);
    const isWorldComplete = world === prepared.base.world;
    if (isWorldComplete && prepared.to && isFar(head, prepared.to.number + 1)) {
      ahead = prepareRange(head, prepared.to);
      // The next step awaits it and throws its error. Until then, Node would take the error for an unhandled one.
      ahead.catch(() => {});
    }
    const begun = performance.now();
    const step = await write(epoch, { ...prepared, head });
    const durationMs = performance.now() - begun;
    if (durationMs > STEP_MS) most = Math.max(fewest, Math.floor(most / 2));
    else if (durationMs < STEP_MS / 2) most = Math.min(stepEvents, most * 2);
    return step;
  }

  /** Returns whether the blocks from `next` on are too many to read one by one. */
  function isFar(head: ChainBlock, next: number): boolean {
    return head.number - next + 1 > confirmations + LIVE_GAP;
  }

  async function live(epoch: number, head: ChainBlock, number: number): Promise<Step> {
    const block = number === head.number ? head : await blockOf(node, number);
    if (cursor && block.parentHash !== cursor.hash) return diverged(epoch, head);
    const fetched = await fetcher.blocks([block], known());
    const base = { world, at: number - 1, rollbackTo: null };
    const prepared = await prepare({ head, how: "live", fetched, to: stored(block), base });
    accept(prepared);
    return write(epoch, prepared);
  }

  /**
   * Handles a chain that differs from the applied one. It finds the last shared block, rolls back the blocks above
   * it, and applies the new branch.
   */
  async function diverged(epoch: number, head: ChainBlock): Promise<Step> {
    // Runs before anything is rolled back, because a different chain behind the same address also looks like a reorg.
    await node.checkChain();
    if (!cursor) throw new NodeError("the node contradicts itself");
    const storedBlocks = await store.blocksUpTo(Math.min(head.number, cursor.number));
    const ancestor = await lastShared(storedBlocks);
    if (ancestor?.number === cursor.number) throw new NodeError("the node answers from two branches");
    if (!ancestor && startBlock <= cursor.number - keepBlocks) return { kind: "too_deep", head };

    const at = ancestor?.number ?? startBlock - 1;
    const remaining = new Map([...products].filter(([, product]) => product.block <= at));
    const queues = await store.queues(remaining.values(), at);
    const fresh = { world: emptyWorld(queues), at, rollbackTo: at };
    let branch: ChainBlock[] = [];
    let fetched: Fetched = { events: [], products: [], blocks: [] };
    // A branch that is too long for one transaction is rolled back here and then read in ranges.
    if (head.number - at <= keepBlocks) {
      const numbers = Array.from({ length: Math.max(0, head.number - at) }, (_, index) => at + 1 + index);
      branch = await inParallel(numbers, async (number) => (number === head.number ? head : blockOf(node, number)));
      assertLinked(ancestor, branch);
      fetched = await fetcher.blocks(branch, { products: remaining, queues });
    }
    const last = branch.at(-1);
    const to = last ? stored(last) : ancestor;
    const prepared = await prepare({ head, how: "reorg", fetched, to, base: fresh });
    products = remaining;
    accept(prepared);
    compared = null;
    return write(epoch, prepared);
  }

  /** Returns the last of `storedBlocks` (oldest first) that the chain still has, or null if it has none of them. */
  async function lastShared(storedBlocks: readonly StoredBlock[]): Promise<StoredBlock | null> {
    let low = -1;
    let high = storedBlocks.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const storedBlock = storedBlocks[middle] as StoredBlock;
      const chainBlock = await blockOf(node, storedBlock.number);
      if (chainBlock.hash === storedBlock.hash) low = middle;
      else high = middle;
    }
    return storedBlocks[low] ?? null;
  }

  async function load(): Promise<void> {
    const row = await store.cursor();
    const { block, hash, time } = row ?? { block: null, hash: null, time: null };
    cursor = block === null || hash === null || time === null ? null : { number: block, hash, time };
    const at = cursor?.number ?? -1;
    products = new Map((await store.products(at)).map((product) => [product.address, product]));
    world = { ...emptyWorld(await store.queues(products.values(), at)), isWhole: cursor === null };
    ahead = null;
    compared = null;
  }

  return {
    load,

    async step(epoch) {
      const head = await node.head();
      // The chain no longer has the blocks that were read ahead.
      if (ahead && cursor && head.number <= cursor.number) await load();
      if (cursor && head.number < cursor.number) return soleNode ? diverged(epoch, head) : { kind: "behind", head };
      if (cursor && head.number === cursor.number) {
        if (head.hash !== cursor.hash) return diverged(epoch, head);
        await compareTables(head);
        return { kind: "idle", head };
      }
      const next = cursor ? cursor.number + 1 : startBlock;
      if (head.number < next) return { kind: "behind", head };
      return ahead || isFar(head, next) ? backfill(epoch, head) : live(epoch, head, next);
    },

    cursor: () => cursor,
    products: () => products,
  };
}

/** Returns the number of rows that grow with the wallets. Waiting requests are needed whole, so they always stay. */
function sizeOf({ positions, receipts, identities }: World): number {
  return positions.size + receipts.size + identities.size;
}

/** Returns the same world without those rows. */
function withoutWallets(world: World): World {
  return { ...world, isWhole: false, positions: new Map(), receipts: new Map(), identities: new Map() };
}

function stored({ number, hash, time }: ChainBlock): StoredBlock {
  return { number, hash, time };
}

function assertLinked(ancestor: StoredBlock | null, branch: readonly ChainBlock[]): void {
  let parent = ancestor?.hash;
  for (const block of branch) {
    if (parent !== undefined && block.parentHash !== parent)
      throw new NodeError("the branch changed while it was read");
    parent = block.hash;
  }
}
