import type { Deployment } from "@aqua/sdk/deployment";
import pLimit from "p-limit";
import type { Hex } from "viem";
import { accountFor, mayHoldLogs, weightOf } from "./bloom.ts";
import { type ChainEvent, decodeLog, type Emitter, nameOf } from "./decode.ts";
import { type ChainBlock, type ChainLog, type Node, NodeError } from "./node.ts";
import type { StoredBlock } from "./store.ts";
import type { Product } from "./world.ts";

/** Contents of some blocks, in chain order. */
export interface Fetched {
  events: ChainEvent[];
  /** Products that are listed in these blocks. Their events are complete from the first block on. */
  products: Product[];
  blocks: StoredBlock[];
}

/**
 * Contracts whose events are read in addition to the registries: listed products by address, and their queues, each
 * with its vault.
 */
export interface WatchedContracts {
  products: ReadonlyMap<Hex, Pick<Product, "productType">>;
  queues: ReadonlyMap<Hex, Hex>;
}

export interface Fetcher {
  /** Fetches the given consecutive blocks. It requests their logs by block hash. */
  blocks(blocks: readonly ChainBlock[], known: WatchedContracts): Promise<Fetched>;
  /**
   * Fetches blocks `from`..`to`, or fewer of them. They hold at most `most` logs, except for a single block with
   * more. They end at a block that lists a product or names a queue, because the history of the new contract is
   * added. `last` is the last fetched block. Blocks from `checkedFrom` on are checked against their headers.
   */
  range(
    asked: { from: number; to: number; most: number; checkedFrom: number },
    known: WatchedContracts,
  ): Promise<Fetched & { first: ChainBlock; last: ChainBlock }>;
}

export interface FetcherParts {
  node: Node;
  chainId: number;
  deployment: Deployment;
  /** Maximum number of blocks in one request. */
  span: number;
  log: { warn(fields: object, message: string): void };
}

/** Contracts that emit the events of a product, by product type. */
const emitterOfType: Record<number, Emitter> = { 0: "vault", 1: "term" };
const MAX_CONCURRENT = 8;
/** Number of blocks in the first request of a range, before the density of logs is known. */
const FIRST_SPAN = 64;
/**
 * Number of the newest blocks that are checked against their headers when they are read in ranges. The logs of a node
 * lag behind its head, so older blocks are complete. Reading one header for each block of the whole history would
 * take hours.
 */
export const CHECKED_BLOCKS = 1_024;

export function createFetcher({ node, chainId, deployment, span: widest, log }: FetcherParts): Fetcher {
  const productRegistry = deployment.product_registry.toLowerCase() as Hex;
  const identityRegistry = deployment.identity_registry.toLowerCase() as Hex;
  const accessManager = deployment.access_manager.toLowerCase() as Hex;
  const registries = new Map<Hex, Emitter>([
    [productRegistry, "product_registry"],
    [identityRegistry, "identity_registry"],
    [accessManager, "access_manager"],
  ]);
  if (deployment.telemetry_anchor !== undefined) {
    registries.set(deployment.telemetry_anchor.toLowerCase() as Hex, "telemetry_anchor");
  }
  /**
   * Number of blocks in one request. Separate values apply to the history of a new product, which is mostly empty,
   * and to the next blocks.
   */
  const past = { span: widest };
  const ahead = { span: Math.min(widest, FIRST_SPAN) };

  /**
   * Fetches as many of `from`..`to` as the node answers in one request and as hold at most `most` logs, but at least
   * one block.
   */
  async function logsUpTo(
    reach: { span: number },
    { from, to, most }: { from: number; to: number; most: number },
    addresses: readonly Hex[],
  ) {
    for (;;) {
      const last = Math.min(to, from + reach.span - 1);
      const narrower = Math.ceil((last - from + 1) / 2);
      try {
        const logs = await node.logsOfRange(from, last, addresses);
        if (logs.length > most) {
          reach.span = narrower;
          return firstBlocks(logs, last, most);
        }
        if (logs.length <= most / 2) reach.span = Math.min(widest, reach.span * 2);
        return { logs, last };
      } catch (error) {
        if (!(error instanceof NodeError) || reach.span === 1) throw error;
        // This call also fails if the node is unavailable. A node that only rejected the width of the range answers
        // it.
        await node.checkChain();
        reach.span = narrower;
      }
    }
  }

  async function logsOfAll(from: number, to: number, addresses: readonly Hex[]): Promise<ChainLog[]> {
    const all: ChainLog[] = [];
    for (let next = from; next <= to; ) {
      const { logs, last } = await logsUpTo(past, { from: next, to, most: Number.POSITIVE_INFINITY }, addresses);
      all.push(...logs);
      next = last + 1;
    }
    return all;
  }

  /** Every contract whose events are read, with its role. */
  function emittersOf(known: WatchedContracts): Map<Hex, Emitter> {
    const emitters = new Map(registries);
    for (const [address, { productType }] of known.products) {
      const emitter = emitterOfType[productType];
      if (emitter) emitters.set(address, emitter);
    }
    for (const queue of known.queues.keys()) emitters.set(queue, "queue");
    return emitters;
  }

  async function digest(
    logs: ChainLog[],
    known: WatchedContracts,
    { last, checkedFrom }: { last: ChainBlock; checkedFrom: number },
  ) {
    const emitters = emittersOf(known);
    const all = [...logs];
    /**
     * Reads the events of all of these contracts from the first block on, because a contract that becomes known now
     * may have emitted events before.
     */
    async function readWhole(fresh: ReadonlyMap<Hex, Emitter>): Promise<ChainLog[]> {
      if (fresh.size === 0) return [];
      for (const [address, emitter] of fresh) emitters.set(address, emitter);
      const found = await logsOfAll(deployment.start_block, last.number, [...fresh.keys()]);
      await checkHeaders(found, { from: Math.max(deployment.start_block, checkedFrom), last }, [...fresh.keys()]);
      all.push(...found);
      return found;
    }

    const listed = freshProducts(logs, emitters);
    const early = await readWhole(listed);
    // A queue is named after its vault is created, so the events of a whole vault also name the queue.
    const queues = await readWhole(freshQueues([...logs, ...early], emitters));
    if (early.length + queues.length > 0) {
      const again = await node.block(last.number);
      if (again?.hash !== last.hash) throw new NodeError(`block ${last.number} was replaced while it was read`);
    }
    all.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
    const times = await timesOf(all);

    const events: ChainEvent[] = [];
    for (const entry of all) {
      const emitter = emitters.get(entry.address);
      const event = emitter && decodeLog(entry, emitter, times.get(entry.block) ?? 0);
      // The registry also lists products of unknown types.
      if (event && !("product" in event && !emitters.has(event.product))) events.push(event);
    }
    const products: Product[] = [];
    for (const event of events) {
      if (event.name === "ProductListed" && listed.has(event.product)) products.push(await describe(event));
    }
    return { events, products, all, times };
  }

  /** Returns the products listed in these logs whose events are not read yet. */
  function freshProducts(logs: readonly ChainLog[], emitters: ReadonlyMap<Hex, Emitter>): Map<Hex, Emitter> {
    const fresh = new Map<Hex, Emitter>();
    for (const entry of logs) {
      const event = entry.address === productRegistry ? decodeLog(entry, "product_registry", 0) : null;
      if (event?.name !== "ProductListed" || emitters.has(event.product)) continue;
      const emitter = emitterOfType[event.productType];
      if (emitter) fresh.set(event.product, emitter);
      else log.warn({ short_id: event.shortId, type: event.productType }, "a product of an unknown type was listed");
    }
    return fresh;
  }

  /** Returns the queues that vaults name in these logs and whose events are not read yet. */
  function freshQueues(logs: readonly ChainLog[], emitters: ReadonlyMap<Hex, Emitter>): Map<Hex, Emitter> {
    const fresh = new Map<Hex, Emitter>();
    for (const entry of logs) {
      if (emitters.get(entry.address) !== "vault" || nameOf(entry, "vault") !== "QueueSet") continue;
      const event = decodeLog(entry, "vault", 0);
      if (event?.name === "QueueSet" && !emitters.has(event.queue)) fresh.set(event.queue, "queue");
    }
    return fresh;
  }

  async function describe(event: ChainEvent & { name: "ProductListed" }): Promise<Product> {
    const receipts = emitterOfType[event.productType] === "term";
    const [share, asset] = await Promise.all([node.token(event.product, receipts), node.token(event.asset)]);
    const { block, logIndex, time, product: address, shortId, productType } = event;
    return {
      chainId,
      address,
      shortId,
      productType,
      block,
      logIndex,
      time,
      asset: event.asset,
      assetSymbol: asset.symbol,
      assetDecimals: asset.decimals,
      shareName: share.name,
      shareSymbol: share.symbol,
      shareDecimals: share.decimals,
    };
  }

  /** Returns block times, from the logs if the node includes them there, otherwise from the headers. */
  async function timesOf(logs: readonly ChainLog[]): Promise<Map<number, number>> {
    const times = new Map<number, number>();
    const unknown = new Map<number, Hex>();
    for (const entry of logs) {
      if (entry.time === null) unknown.set(entry.block, entry.blockHash);
      else times.set(entry.block, entry.time);
    }
    await inParallel([...unknown], async ([number, hash]) => {
      const block = await node.block(number);
      if (block?.hash !== hash) throw new NodeError(`block ${number} was replaced while it was read`);
      times.set(number, block.time);
    });
    return times;
  }

  const addresses = (known: WatchedContracts) => [...emittersOf(known).keys()];

  /** A node may know a block before it has the logs, and then answers with no logs and no error. */
  async function logsOf(block: ChainBlock, of: readonly Hex[]): Promise<ChainLog[]> {
    const logs = await node.logsOfBlock(block, of);
    if (logs.length > 0 || !block.logsBloom || !mayHoldLogs(block.logsBloom, of)) return logs;
    const every = await node.logsOfBlock(block);
    assertComplete(block, every);
    return every.filter(({ address }) => of.includes(address));
  }

  /**
   * Checks the logs of a range, up to its last block, against the blooms of the headers from `from` on. If a block's
   * bloom matches one of these addresses but the range has no logs for it, all logs of the block are requested as a
   * range, because a node may answer ranges from another source than single blocks. Blooms that are too full are
   * skipped, except that of the last block: a node that has all logs of the last block has those of earlier blocks.
   * @throws NodeError if a log is missing
   */
  async function checkHeaders(
    logs: readonly ChainLog[],
    { from, last }: { from: number; last: ChainBlock },
    of: readonly Hex[],
  ): Promise<void> {
    if (last.logsBloom === null) return;
    const answered = new Set(logs.map(({ block }) => block));
    const silent: number[] = [];
    for (let number = from; number <= last.number; number += 1) if (!answered.has(number)) silent.push(number);
    await inParallel(silent, async (number) => {
      const block = number === last.number ? last : await blockOf(node, number);
      const weight = block.logsBloom === null ? "nothing" : weightOf(block.logsBloom);
      const isAsked =
        block === last ? weight !== "nothing" : weight === "much" && mayHoldLogs(block.logsBloom ?? "0x", of);
      if (!isAsked) return;
      const every = await node.logsOfRange(number, number);
      if (every.some(({ blockHash }) => blockHash !== block.hash)) {
        throw new NodeError(`block ${number} was replaced while it was read`);
      }
      assertComplete(block, every);
      if (every.some(({ address }) => of.includes(address))) {
        throw new NodeError(`the node left logs of block ${number} out of a range`);
      }
    });
  }

  return {
    async blocks(blocks, known) {
      const logs = await inParallel(blocks, (block) => logsOf(block, addresses(known)));
      const last = blocks.at(-1);
      if (!last) return { events: [], products: [], blocks: [] };
      const { events, products, all } = await digest(logs.flat(), known, {
        last,
        checkedFrom: last.number - CHECKED_BLOCKS,
      });
      const hashes = new Map(blocks.map((block) => [block.number, block.hash]));
      if (all.some((entry) => (hashes.get(entry.block) ?? entry.blockHash) !== entry.blockHash)) {
        throw new NodeError("the node mixes logs of two branches");
      }
      return { events, products, blocks: blocks.map(({ number, hash, time }) => ({ number, hash, time })) };
    },

    async range({ from, to, most, checkedFrom }, known) {
      const first = await blockOf(node, from);
      const emitters = emittersOf(known);
      const found = await logsUpTo(ahead, { from, to, most }, [...emitters.keys()]);
      // The next events of a new contract were not part of the request and may be many.
      const reached = found.logs.find((entry) => introduces(entry, emitters))?.block ?? found.last;
      const logs = found.logs.filter((entry) => entry.block <= reached);
      const last = await blockOf(node, reached);
      await checkHeaders(logs, { from: Math.max(from, checkedFrom), last }, [...emitters.keys()]);
      const { events, products, all, times } = await digest(logs, known, { last, checkedFrom });
      const blocks = new Map<number, StoredBlock>();
      for (const { block: number, blockHash: hash } of all) {
        if (number >= from) blocks.set(number, { number, hash, time: times.get(number) ?? 0 });
      }
      // Logs and headers come in several responses. The ends of the range show whether the branch changed in between.
      const again = await blockOf(node, from);
      const lastLogged = blocks.get(last.number);
      if (again.hash !== first.hash || (lastLogged && lastLogged.hash !== last.hash)) {
        throw new NodeError(`blocks ${from} to ${reached} were replaced while they were read`);
      }
      blocks.set(last.number, { number: last.number, hash: last.hash, time: last.time });
      return { events, products, blocks: [...blocks.values()], first, last };
    },
  };
}

/** @throws NodeError if these are not all logs of the block */
function assertComplete({ number, logsBloom }: ChainBlock, every: readonly ChainLog[]): void {
  if (logsBloom !== null && !accountFor(logsBloom, every)) {
    throw new NodeError(`block ${number} came without the logs that its header announces`);
  }
}

/** Returns whether a log names a contract whose events must also be read. */
function introduces(entry: ChainLog, emitters: ReadonlyMap<Hex, Emitter>): boolean {
  const emitter = emitters.get(entry.address);
  const name = emitter && nameOf(entry, emitter);
  return name === "ProductListed" || name === "QueueSet";
}

/**
 * Returns the logs of the first blocks that together hold at most `most` logs, or of a single block that holds more.
 */
function firstBlocks(logs: readonly ChainLog[], last: number, most: number): { logs: ChainLog[]; last: number } {
  const end = Math.max(logs[0]?.block ?? last, (logs[most]?.block ?? last + 1) - 1);
  return { logs: logs.filter((log) => log.block <= end), last: end };
}

/** Returns the block with this number. Throws if the node does not have it. */
export async function blockOf(node: Node, number: number): Promise<ChainBlock> {
  const block = await node.block(number);
  if (!block) throw new NodeError(`the node does not have block ${number}`);
  return block;
}

/** Returns results in the order of `items`. At most `MAX_CONCURRENT` calls run at once. */
export function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  return pLimit(MAX_CONCURRENT).map(items, work);
}
