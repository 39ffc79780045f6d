import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { confirmationsOf, findChain, localChain } from "@aqua/sdk/chains";
import type { Deployment } from "@aqua/sdk/deployment";
import type { Hex } from "viem";
import type { Database } from "../db/database.ts";
import type { EventHub } from "../events/hub.ts";
import { createFetcher } from "./fetch.ts";
import { FiguresDiffer } from "./figures.ts";
import { type Applied, createFollower, type Step } from "./follow.ts";
import { type Heads, watchHeads } from "./heads.ts";
import { type ChainClient, createNode, NodeError } from "./node.ts";
import { createIndexerStore, LeaseLost, type StoredBlock } from "./store.ts";
import { shortIdOf } from "./telemetry.ts";
import { toTransaction } from "./transactions.ts";
import type { Anchor, Movement, NewRows, Product } from "./world.ts";

/** Times are Unix milliseconds. The tables are at the head of the chain only in the state `live`. */
export interface IndexerStatus {
  head: { block: number; time: number } | null;
  cursor: { block: number; time: number } | null;
  state: IndexerState;
}
export type IndexerState = "backfill" | "live" | "stale" | "reorg_too_deep" | "node_unavailable" | "figures_differ";

export interface Indexer {
  start(): Promise<void>;
  /** Ends the pause before the next turn. Call it when the database answers again. */
  wake(): void;
  /** Stops after the current change is committed, within 1.5 s, and releases the lease. */
  stop(): Promise<void>;
  status(): IndexerStatus;
}

export interface IndexerParts {
  db: Database;
  client: ChainClient;
  chainId: number;
  deployment: Deployment;
  events: Pick<EventHub, "publish">;
  log: Log;
  /** Id of this process, under which it holds the lease. */
  owner?: string;
  /** False if this process only reads what another one writes. Default: true. */
  writes?: boolean;
  /** URL of a node's WebSocket that publishes its blocks. Without it, the node is polled. */
  headsUrl?: string;
  settings?: Partial<IndexerSettings>;
}
interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface IndexerSettings {
  /** Blocks closer to the head than this are read one by one. */
  confirmations: number;
  /** Depth in blocks of the deepest reorg that can be followed. */
  keepBlocks: number;
  /** Maximum number of blocks in one request for logs. */
  span: number;
  pollMs: number;
  /** The same while the node publishes its blocks. */
  subscribedPollMs: number;
  /** Pause after a failure. It doubles with each further failure. */
  backoffMs: number;
  /** Time for which this process may write without renewing the lease. After that, another process can take over. */
  leaseMs: number;
  /** If a node stays behind the applied block for this long, the figures are stale. */
  behindMs: number;
  /**
   * If the head is older than this by the local clock, the figures are stale. Null if the chain produces blocks only
   * on demand.
   */
  headAgeMs: number | null;
  /** If no new block comes for this long, the figures are stale. Null if the chain makes blocks only on demand. */
  standstillMs: number | null;
  /** Time within which the node must answer requests other than for ranges of logs. */
  answerMs: number;
  soleNode: boolean;
  /** Maximum number of events in one step of a backfill, unless a single block holds more. */
  stepEvents: number;
  /** Rows of wallets and receipts that stay in memory. Beyond, each is read from the tables when it changes. */
  keptRows: number;
}

/** Changes of some blocks, for subscribers. */
interface News {
  movements: readonly Movement[];
  /** Products that changed in any way. */
  changed: Iterable<Hex>;
  anchors: readonly Anchor[];
}

/** Depth in blocks of the deepest reorganization that is followed. */
export const KEPT_BLOCKS = 512;
const LONGEST_BACKOFF_MS = 5_000;
const STOP_MS = 1_500;
const STANDSTILL_BLOCKS = 5;

function defaultSettings(chainId: number): IndexerSettings {
  const local = chainId === localChain.id;
  const blockTime = findChain(chainId)?.blockTime ?? null;
  return {
    confirmations: confirmationsOf(chainId),
    keepBlocks: KEPT_BLOCKS,
    span: 5_000,
    pollMs: local ? 100 : 500,
    subscribedPollMs: 1_000,
    backoffMs: 100,
    leaseMs: 3_000,
    behindMs: 5_000,
    headAgeMs: local ? null : 300_000,
    standstillMs: blockTime === null ? null : STANDSTILL_BLOCKS * blockTime * 1_000,
    answerMs: 2_000,
    soleNode: local,
    stepEvents: 2_000,
    keptRows: 50_000,
  };
}

/** Follows one chain into the tables of schema.ts. After each commit, it publishes the changes to `events`. */
export function createIndexer(parts: IndexerParts): Indexer {
  const {
    db,
    client,
    chainId,
    deployment,
    events,
    log,
    owner = randomUUID(),
    writes = true,
    headsUrl,
    settings,
  } = parts;
  const options = { ...defaultSettings(chainId), ...settings };
  // Some steps need many requests. As long as the node answers, another process must not take over the chain.
  const node = createNode({ client, chainId, answerMs: options.answerMs, answered: renew });
  const store = createIndexerStore(db, chainId);
  const fetcher = createFetcher({ node, chainId, deployment, span: options.span, log });
  const startBlock = deployment.start_block;
  const registry = deployment.product_registry.toLowerCase() as Hex;
  const stopping = new AbortController();
  const { signal } = stopping;
  const follower = createFollower({ ...options, node, store, fetcher, chainId, startBlock, isLive, signal, log });

  let epoch: number | null = null;
  let checked = false;
  let loaded = false;
  let leaseRenewed = 0;
  let behindSince: number | null = null;
  let head: { number: number; time: number } | null = null;
  /** When the newest block was first seen, by the local clock. */
  let headSince = Date.now();
  let cursor: StoredBlock | null = null;
  let state: IndexerState = "backfill";
  /** The changes of a backfill are not published individually. */
  let isUnpublished = false;
  let running: Promise<void> | null = null;
  let heads: Heads | null = null;
  /** True if a block was announced that no turn has fetched yet. */
  let isHeadNew = false;
  let endPause = () => {};

  function isLive(): boolean {
    return state === "live";
  }

  function enter(next: IndexerState, fields: object = {}): void {
    if (next === state) return;
    const level = next === "live" || next === "backfill" ? "info" : "warn";
    log[level]({ chain_id: chainId, from: state, ...fields }, `indexer: ${next}`);
    state = next;
  }

  function stateAfter(step: Step): IndexerState {
    if (step.kind !== "behind") behindSince = null;
    const old = isOlder(options.headAgeMs, step.head.time * 1_000) || isOlder(options.standstillMs, headSince);
    switch (step.kind) {
      case "too_deep":
        return "reorg_too_deep";
      case "idle":
        return old ? "stale" : "live";
      case "behind":
        if (!follower.cursor()) return "backfill";
        behindSince ??= Date.now();
        return Date.now() - behindSince > options.behindMs ? "stale" : state;
      case "applied":
        if (step.applied.how === "backfill") return "backfill";
        if (step.applied.cursor?.number === step.head.number) return old ? "stale" : "live";
        return state === "live" && step.applied.how === "live" ? "live" : "backfill";
    }
  }

  function announce({ movements, changed, anchors }: News, products: ReadonlyMap<Hex, Product>): void {
    for (const { stream, number } of anchors) {
      const shortId = shortIdOf(stream);
      if (shortId !== null) events.publish("anchor", { chain_id: chainId, short_id: shortId, number });
    }
    for (const movement of movements) {
      const product = products.get(movement.product);
      if (product) events.publish("transaction", toTransaction(movement, product));
    }
    for (const address of new Set(changed)) {
      const product = products.get(address);
      if (product) events.publish("product", { short_id: product.shortId });
    }
  }

  function announceBlock(): void {
    if (cursor) events.publish("block", { chain_id: chainId, block: cursor.number, time: cursor.time * 1_000 });
  }

  function announceApplied({ how, rows }: Applied): void {
    const products = follower.products();
    const news = { movements: rows.movement, anchors: rows.anchor };
    if (how === "live") announce({ ...news, changed: productsOf(rows) }, products);
    else if (how === "reorg") announceReorg(news, products);
    else isUnpublished = true;
    announceBlock();
  }

  /** The wallets of rolled back movements are no longer known, so every client must read again. */
  function announceReorg(news: Omit<News, "changed">, products: ReadonlyMap<Hex, Product>): void {
    announce({ ...news, changed: products.keys() }, products);
    events.publish("reset", {});
  }

  function announceBackfill(): void {
    if (!isUnpublished || state === "backfill") return;
    isUnpublished = false;
    events.publish("reset", {});
  }

  /**
   * Advances to a block that another process committed, or that was committed just before a failure, and publishes
   * its changes.
   */
  async function catchUp(now: StoredBlock | null): Promise<void> {
    const previous = cursor;
    const undone = previous !== null && (now === null || (await isUndone(previous, now)));
    if (previous !== null && now !== null && now.hash !== previous.hash && (undone || state !== "backfill")) {
      // Only the writer knows the fork block, so everything close enough to the head is published again.
      const from = undone ? Math.min(previous.number, now.number) - options.confirmations : previous.number;
      const news = await store.changesBetween(from, now.number);
      const products = new Map((await store.products(now.number)).map((product) => [product.address, product]));
      if (undone) announceReorg(news, products);
      else announce(news, products);
    } else if (now?.hash !== previous?.hash) isUnpublished = true;
    // This is set last, so that the next turn publishes the changes if the tables could not be read.
    cursor = now;
    if (previous !== null && now?.hash !== previous.hash) announceBlock();
    announceBackfill();
  }

  /** Serves while another process writes. It reads that process's commits and notifies its own subscribers. */
  async function followWriter(): Promise<void> {
    const row = await store.cursor();
    if (!row) return;
    head = row.head === null || row.headTime === null ? null : { number: row.head, time: row.headTime };
    const { block, hash, time } = row;
    enter(row.state as IndexerState);
    await catchUp(block === null || hash === null || time === null ? null : { number: block, hash, time });
  }

  /** Returns whether a published block is gone for a reason other than its age. */
  async function isUndone(previous: StoredBlock, now: StoredBlock): Promise<boolean> {
    const hash = await store.hashOf(previous.number);
    return hash === null ? previous.number > now.number - options.keepBlocks : hash !== previous.hash;
  }

  async function renew(): Promise<void> {
    if (epoch === null || Date.now() - leaseRenewed < options.leaseMs / 3) return;
    leaseRenewed = Date.now();
    await store.renewLease(epoch, options.leaseMs, { head, state });
  }

  /** Runs one turn and returns the pause before the next one, in milliseconds. */
  async function turn(): Promise<number> {
    if (epoch === null) {
      epoch = writes ? await store.takeLease(owner, options.leaseMs, false) : null;
      if (epoch === null) {
        await followWriter();
        return options.pollMs;
      }
      loaded = false;
      leaseRenewed = Date.now();
    }
    const row = loaded ? null : await store.cursor();
    if (row && row.productRegistry !== registry) {
      // These rows belong to other contracts, so serving them for this chain would be wrong.
      enter("reorg_too_deep", { reason: "the tables were filled from another deployment" });
      await renew();
      return 1_000;
    }
    if (!loaded) {
      await follower.load();
      await catchUp(follower.cursor());
      loaded = true;
    }
    if (!checked) {
      await node.checkChain();
      checked = true;
    }
    const step = await follower.step(epoch);
    if (step.head.number !== head?.number) headSince = Date.now();
    head = step.head;
    cursor = follower.cursor();
    enter(stateAfter(step));
    if (step.kind === "applied") {
      if (step.applied.how === "reorg") log.warn({ chain_id: chainId, cursor }, "indexer: followed a reorg");
      announceApplied(step.applied);
    }
    announceBackfill();
    // Each commit of a backfill has renewed the lease, and a renewal would wait for the next one.
    if (step.kind === "applied" && state === "backfill") leaseRenewed = Date.now();
    await renew();
    if (step.kind === "applied") return 0;
    if (step.kind === "too_deep") return Math.max(options.pollMs, 1_000);
    return heads?.isSubscribed() ? options.subscribedPollMs : options.pollMs;
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      let pause: number;
      isHeadNew = false;
      try {
        pause = await turn();
        failures = 0;
      } catch (error) {
        if (signal.aborted) break;
        loaded = false;
        checked = false;
        if (error instanceof LeaseLost) {
          log.warn({ chain_id: chainId }, "indexer: another process writes this chain now");
          epoch = null;
          pause = options.pollMs;
        } else {
          failures += 1;
          // A single bad answer is tolerated, because the figures are still those of the last block.
          if (failures > 1 && state !== "reorg_too_deep") {
            enter(stateOf(error), { reason: messageOf(error) });
          }
          if (!(error instanceof NodeError))
            log.error({ err: error, chain_id: chainId }, "the indexer failed; it is retried");
          pause = Math.min(LONGEST_BACKOFF_MS, options.backoffMs * 2 ** Math.min(failures - 1, 10));
          await renewInTrouble();
        }
      }
      if (pause > 0 && !isHeadNew && !signal.aborted) await pauseFor(pause);
    }
  }

  function pauseFor(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function onHead(): void {
    isHeadNew = true;
    endPause();
  }

  /** Renews the lease while the node is unavailable, so that this process still owns the state that others read. */
  async function renewInTrouble(): Promise<void> {
    try {
      await renew();
    } catch (error) {
      if (error instanceof LeaseLost) epoch = null;
    }
  }

  return {
    async start() {
      if (running) return;
      await store.create(registry);
      // The embedded database has a single process, which locks its folder. A lease left by a crash therefore has no
      // owner.
      if (writes && db.kind === "embedded") {
        epoch = await store.takeLease(owner, options.leaseMs, true);
        leaseRenewed = Date.now();
      }
      if (writes && headsUrl !== undefined) heads = watchHeads(headsUrl, onHead);
      running = run();
    },
    wake: () => endPause(),
    async stop() {
      stopping.abort();
      endPause();
      await heads?.stop();
      // A stalled node must not delay the stop. Its later answers are not written.
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })]);
      if (epoch !== null) await store.releaseLease(epoch).catch(() => {});
    },
    status() {
      const stamp = (at: { number: number; time: number } | null) => at && { block: at.number, time: at.time * 1_000 };
      return { head: stamp(head), cursor: stamp(cursor), state };
    },
  };
}

/** Returns every product that changed in any way. */
function* productsOf(rows: NewRows): Generator<Hex> {
  for (const some of Object.values(rows)) {
    for (const row of some) if ("product" in row) yield row.product;
  }
}

function isOlder(limitMs: number | null, since: number): boolean {
  return limitMs !== null && Date.now() - since > limitMs;
}

function stateOf(error: unknown): IndexerState {
  if (error instanceof FiguresDiffer) return "figures_differ";
  return error instanceof NodeError ? "node_unavailable" : "stale";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
