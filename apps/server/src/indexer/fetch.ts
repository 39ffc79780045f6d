import type { Deployment } from "@aqua/sdk/deployment";
import type { Hex } from "viem";
import { mayHoldLogs } from "./bloom.ts";
import { type ChainEvent, decodeLog } from "./decode.ts";
import { type ChainBlock, type ChainLog, type Node, NodeError } from "./node.ts";
import type { Product } from "./replay.ts";
import type { StoredBlock } from "./store.ts";

/** What some blocks hold, in the order of the chain. */
export interface Fetched {
  events: ChainEvent[];
  /** Products listed in them. Their events are complete from the first block on. */
  products: Product[];
  blocks: StoredBlock[];
}

export interface Fetcher {
  /** The given blocks, which follow one another; logs are asked for by block hash. */
  blocks(blocks: readonly ChainBlock[], known: ReadonlySet<Hex>): Promise<Fetched>;
  /** Blocks `from`..`to` or, when the node refuses that many, fewer of them: the last block says how far it went. */
  range(from: number, to: number, known: ReadonlySet<Hex>): Promise<Fetched & { first: ChainBlock; last: ChainBlock }>;
}

export interface FetcherParts {
  node: Node;
  chainId: number;
  deployment: Deployment;
  /** Most blocks asked for at once. */
  span: number;
  log: { warn(fields: object, message: string): void };
}

const DEMAND_DEPOSIT = 0;
const AT_ONCE = 8;
const DOUBTS = 5;

export function createFetcher({ node, chainId, deployment, span: widest, log }: FetcherParts): Fetcher {
  const productRegistry = deployment.product_registry.toLowerCase() as Hex;
  const identityRegistry = deployment.identity_registry.toLowerCase() as Hex;
  let span = widest;

  /** As many of `from`..`to` as the node is willing to answer at once. */
  async function logsUpTo(from: number, to: number, addresses: readonly Hex[]) {
    for (;;) {
      const last = Math.min(to, from + span - 1);
      try {
        const logs = await node.logsOfRange(from, last, addresses);
        span = Math.min(widest, span * 2);
        return { logs, last };
      } catch (error) {
        if (!(error instanceof NodeError) || span === 1) throw error;
        // A node that is gone fails here too; one that only finds the range too wide answers.
        await node.checkChain();
        span = Math.ceil(Math.min(span, last - from + 1) / 2);
      }
    }
  }

  async function logsOfAll(from: number, to: number, addresses: readonly Hex[]): Promise<ChainLog[]> {
    const all: ChainLog[] = [];
    for (let next = from; next <= to; ) {
      const { logs, last } = await logsUpTo(next, to, addresses);
      all.push(...logs);
      next = last + 1;
    }
    return all;
  }

  async function digest(logs: ChainLog[], known: ReadonlySet<Hex>, last: ChainBlock) {
    const listed = logs.filter((log) => log.address === productRegistry);
    const listings = listed.map((log) => decodeLog(log, "product_registry", 0)).filter((event) => event !== null);
    const fresh = new Set<Hex>();
    for (const event of listings) {
      if (event.name !== "ProductListed" || known.has(event.product)) continue;
      if (event.productType === DEMAND_DEPOSIT) fresh.add(event.product);
      else log.warn({ short_id: event.shortId }, "a time deposit was listed; this version does not index them");
    }
    const all = [...logs];
    if (fresh.size > 0) {
      // A vault is created, and may be used, before it is listed.
      all.push(...(await logsOfAll(deployment.start_block, last.number, [...fresh])));
      const again = await node.block(last.number);
      if (again?.hash !== last.hash) throw new NodeError(`block ${last.number} was replaced while it was read`);
    }
    all.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
    const times = await timesOf(all);

    const emitterOf = (address: Hex) =>
      address === productRegistry ? "product_registry" : address === identityRegistry ? "identity_registry" : "vault";
    const events: ChainEvent[] = [];
    for (const entry of all) {
      const event = decodeLog(entry, emitterOf(entry.address), times.get(entry.block) ?? 0);
      if (event) events.push(event);
    }
    const products: Product[] = [];
    for (const event of events) {
      if (event.name === "ProductListed" && fresh.has(event.product)) products.push(await describe(event));
    }
    const indexed = (address: Hex) => known.has(address) || fresh.has(address);
    return { events: events.filter((event) => !("product" in event) || indexed(event.product)), products, all, times };
  }

  async function describe(event: ChainEvent & { name: "ProductListed" }): Promise<Product> {
    const [share, asset] = await Promise.all([node.token(event.product), node.token(event.asset)]);
    const { block, logIndex, time, product: address, shortId, productType } = event;
    return {
      ...{ chainId, address, shortId, productType, block, logIndex, time },
      ...{ asset: event.asset, assetSymbol: asset.symbol, assetDecimals: asset.decimals },
      ...{ shareName: share.name, shareSymbol: share.symbol, shareDecimals: share.decimals },
    };
  }

  /** Block times, from the logs where the node tells them there, else from the headers. */
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

  const addresses = (known: ReadonlySet<Hex>) => [productRegistry, identityRegistry, ...known];

  let doubted: { hash: Hex; times: number } | null = null;

  /** A node may know a block before its logs. The bloom of the header gives it away, mostly: a few doubts are enough. */
  async function logsOf(block: ChainBlock, of: readonly Hex[]): Promise<ChainLog[]> {
    const logs = await node.logsOfBlock(block, of);
    if (logs.length > 0 || !block.logsBloom || !mayHoldLogs(block.logsBloom, of)) return logs;
    const times = doubted?.hash === block.hash ? doubted.times + 1 : 1;
    doubted = { hash: block.hash, times };
    if (times <= DOUBTS) throw new NodeError(`block ${block.number} came without the logs its header speaks of`);
    return logs;
  }

  return {
    async blocks(blocks, known) {
      const logs = await inParallel(blocks, (block) => logsOf(block, addresses(known)));
      const last = blocks.at(-1);
      if (!last) return { events: [], products: [], blocks: [] };
      const { events, products, all } = await digest(logs.flat(), known, last);
      const hashes = new Map(blocks.map((block) => [block.number, block.hash]));
      if (all.some((entry) => (hashes.get(entry.block) ?? entry.blockHash) !== entry.blockHash)) {
        throw new NodeError("the node mixes logs of two branches");
      }
      return { events, products, blocks: blocks.map(({ number, hash, time }) => ({ number, hash, time })) };
    },

    async range(from, to, known) {
      const first = await blockOf(node, from);
      const { logs, last: reached } = await logsUpTo(from, to, addresses(known));
      const last = await blockOf(node, reached);
      const { events, products, all, times } = await digest(logs, known, last);
      const blocks = new Map<number, StoredBlock>();
      for (const { block: number, blockHash: hash } of all) {
        if (number >= from) blocks.set(number, { number, hash, time: times.get(number) ?? 0 });
      }
      // Logs and headers come in several answers; a branch that changed in between shows in the ends.
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

/** The block of this number; throws where the node does not have it. */
export async function blockOf(node: Node, number: number): Promise<ChainBlock> {
  const block = await node.block(number);
  if (!block) throw new NodeError(`the node does not have block ${number}`);
  return block;
}

/** Answers in the order of `items`, a few asked for at once. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  let next = 0;
  async function worker() {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as Item);
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  return results;
}
