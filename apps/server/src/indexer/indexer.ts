import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { findChain, localChain } from "@aqua/sdk/chains";
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

/** Times are Unix milliseconds. Only in `live` are the tables at the head of the chain. */
export interface IndexerStatus {
  head: { block: number; time: number } | null;
  cursor: { block: number; time: number } | null;
  state: IndexerState;
}
export type IndexerState = "backfill" | "live" | "stale" | "reorg_too_deep" | "node_unavailable" | "figures_differ";

export interface Indexer {
  start(): Promise<void>;
  /** Ends after the change at hand is committed, within 1.5 s, and gives the lease back. */
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
  /** URL of a node's WebSocket that publishes its blocks; without it the node is polled. */
  headsUrl?: string;
  settings?: Partial<IndexerSettings>;
}
interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface IndexerSettings {
  /** Blocks nearer to the head than this are read one by one. */
  confirmations: number;
  /** Blocks back to which a reorg can be followed. */
  keepBlocks: number;
  /** Most blocks in one request for logs. */
  span: number;
  pollMs: number;
  /** The same while the node publishes its blocks. */
  toldPollMs: number;
  /** Pause after a failure; it doubles with each further one. */
  backoffMs: number;
  /** How long this process may write without renewing; another takes over after it. */
  leaseMs: number;
  /** A node that stays behind what is applied for this long makes the figures stale. */
  behindMs: number;
  /** A head older than this by our clock makes the figures stale; null where blocks come only when asked for. */
  headAgeMs: number | null;
  soleNode: boolean;
  /** Most events in one step of a backfill, unless a single block holds more. */
  stepEvents: number;
}

/** What came with some blocks, for those who follow. */
interface News {
  movements: readonly Movement[];
  /** Products of which anything changed. */
  changed: Iterable<Hex>;
  anchors: readonly Anchor[];
}

const LONGEST_BACKOFF_MS = 5_000;
const STOP_MS = 1_500;

function defaultSettings(chainId: number): IndexerSettings {
  const local = chainId === localChain.id;
  return {
    confirmations: findChain(chainId)?.confirmations ?? 64,
    keepBlocks: 512,
    span: 5_000,
    pollMs: local ? 100 : 500,
    toldPollMs: 1_000,
    backoffMs: 100,
    leaseMs: 3_000,
    behindMs: 5_000,
    headAgeMs: local ? null : 300_000,
    soleNode: local,
    stepEvents: 2_000,
  };
}

/** Follows one chain into the tables of schema.ts and publishes what changed to `events`, after the commit. */
export function createIndexer(parts: IndexerParts): Indexer {
  const { db, client, chainId, deployment, events, log, headsUrl, settings } = parts;
  const options = { ...defaultSettings(chainId), ...settings };
  // Some steps ask much of a node; as long as it answers, another process must not take the chain over.
  const node = createNode(client, chainId, renew);
  const store = createIndexerStore(db, chainId);
  const fetcher = createFetcher({ node, chainId, deployment, span: options.span, log });
  const startBlock = deployment.start_block;
  const registry = deployment.product_registry.toLowerCase() as Hex;
  const owner = randomUUID();
  const stopping = new AbortController();
  const { signal } = stopping;
  const follower = createFollower({ ...options, node, store, fetcher, chainId, startBlock, isLive, signal, log });

  let epoch: number | null = null;
  let checked = false;
  let loaded = false;
  let leaseRenewed = 0;
  let behindSince: number | null = null;
  let head: { number: number; time: number } | null = null;
  let cursor: StoredBlock | null = null;
  let state: IndexerState = "backfill";
  /** What a backfill changed is not published one by one. */
  let isUnpublished = false;
  let running: Promise<void> | null = null;
  let heads: Heads | null = null;
  /** A block was announced that no turn has fetched. */
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
    const old = options.headAgeMs !== null && Date.now() - step.head.time * 1_000 > options.headAgeMs;
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

  /** Whose movements were undone is not known any more, so everybody is to read again. */
  function announceReorg(news: Omit<News, "changed">, products: ReadonlyMap<Hex, Product>): void {
    announce({ ...news, changed: products.keys() }, products);
    events.publish("reset", {});
  }

  function announceBackfill(): void {
    if (!isUnpublished || state === "backfill") return;
    isUnpublished = false;
    events.publish("reset", {});
  }

  /** Moves on to a block that was committed by another process, or just before a failure, and publishes what came. */
  async function catchUp(now: StoredBlock | null): Promise<void> {
    const seen = cursor;
    const undone = seen !== null && (now === null || (await isUndone(seen, now)));
    if (seen !== null && now !== null && now.hash !== seen.hash && (undone || state !== "backfill")) {
      // Only the writer knows where the branches part, so all that is near enough to the head is published again.
      const from = undone ? Math.min(seen.number, now.number) - options.confirmations : seen.number;
      const news = await store.changesBetween(from, now.number);
      const products = new Map((await store.products(now.number)).map((product) => [product.address, product]));
      if (undone) announceReorg(news, products);
      else announce(news, products);
    } else if (now?.hash !== seen?.hash) isUnpublished = true;
    // Not before: where the tables could not be read, what came is published at the next turn.
    cursor = now;
    if (seen !== null && now?.hash !== seen.hash) announceBlock();
    announceBackfill();
  }

  /** Serves while another process writes: reads what it commits and notifies its own subscribers. */
  async function followWriter(): Promise<void> {
    const row = await store.cursor();
    if (!row) return;
    head = row.head === null || row.headTime === null ? null : { number: row.head, time: row.headTime };
    const { block, hash, time } = row;
    enter(row.state as IndexerState);
    await catchUp(block === null || hash === null || time === null ? null : { number: block, hash, time });
  }

  /** Whether a block that was published is gone for another reason than its age. */
  async function isUndone(seen: StoredBlock, now: StoredBlock): Promise<boolean> {
    const hash = await store.hashOf(seen.number);
    return hash === null ? seen.number > now.number - options.keepBlocks : hash !== seen.hash;
  }

  async function renew(): Promise<void> {
    if (epoch === null || Date.now() - leaseRenewed < options.leaseMs / 3) return;
    leaseRenewed = Date.now();
    await store.renewLease(epoch, options.leaseMs, { head, state });
  }

  /** One turn; answers how long to wait before the next, in milliseconds. */
  async function turn(): Promise<number> {
    if (epoch === null) {
      epoch = await store.takeLease(owner, options.leaseMs, false);
      if (epoch === null) {
        await followWriter();
        return options.pollMs;
      }
      loaded = false;
      leaseRenewed = Date.now();
    }
    const row = loaded ? null : await store.cursor();
    if (row && row.productRegistry !== registry) {
      // These rows belong to other contracts: serving them as the chain's would be wrong.
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
    head = step.head;
    cursor = follower.cursor();
    enter(stateAfter(step));
    if (step.kind === "applied") {
      if (step.applied.how === "reorg") log.warn({ chain_id: chainId, cursor }, "indexer: followed a reorg");
      announceApplied(step.applied);
    }
    announceBackfill();
    await renew();
    if (step.kind === "applied") return 0;
    if (step.kind === "too_deep") return Math.max(options.pollMs, 1_000);
    return heads?.isTold() ? options.toldPollMs : options.pollMs;
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
          // One bad answer is every node's right; the figures are still those of the last block.
          if (failures > 1 && state !== "reorg_too_deep") {
            enter(stateOf(error), { reason: messageOf(error) });
          }
          if (!(error instanceof NodeError))
            log.error({ err: error, chain_id: chainId }, "indexer failed; it tries again");
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

  /** Keeps the lease while the node is away, so that the state others read stays ours. */
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
      // The embedded database has one process, which holds its folder: a lease left by a crash is nobody's.
      if (db.kind === "embedded") {
        epoch = await store.takeLease(owner, options.leaseMs, true);
        leaseRenewed = Date.now();
      }
      if (headsUrl !== undefined) heads = watchHeads(headsUrl, onHead);
      running = run();
    },
    async stop() {
      stopping.abort();
      endPause();
      await heads?.stop();
      // A node that stalls must not hold up the end: what it answers later is not written any more.
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })]);
      if (epoch !== null) await store.releaseLease(epoch).catch(() => {});
    },
    status() {
      const stamp = (at: { number: number; time: number } | null) => at && { block: at.number, time: at.time * 1_000 };
      return { head: stamp(head), cursor: stamp(cursor), state };
    },
  };
}

/** Every product of which anything changed. */
function* productsOf(rows: NewRows): Generator<Hex> {
  for (const some of Object.values(rows)) {
    for (const row of some) if ("product" in row) yield row.product;
  }
}

function stateOf(error: unknown): IndexerState {
  if (error instanceof FiguresDiffer) return "figures_differ";
  return error instanceof NodeError ? "node_unavailable" : "stale";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
