/**
 * Reads a chain from its first block to its head, in a process of its own, so that its memory can be measured: with
 * `databaseUrl` into the tables, without it fetching and decoding alone. Works off the one message it is sent.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, type Database } from "../../apps/server/src/db/database.ts";
import { CHECKED_BLOCKS, createFetcher } from "../../apps/server/src/indexer/fetch.ts";
import { createIndexer } from "../../apps/server/src/indexer/indexer.ts";
import { type ChainClient, createNode } from "../../apps/server/src/indexer/node.ts";
import type { Product } from "../../apps/server/src/indexer/world.ts";
import { clientAt } from "../../apps/server/test/indexer/history.ts";
import type { Deployment } from "../../packages/sdk/src/deployment.ts";
import { cpuSeconds } from "./cpu.ts";

export interface Task {
  url: string;
  deployment: Deployment;
  head: number;
  databaseUrl: string | null;
}

export interface Measured {
  seconds: number;
  /** CPU seconds, of the database too. */
  cpu: number;
  /** Bytes the process took before it began. */
  idle: number;
  /** Milliseconds at most for which the process answered nothing. */
  longest: number;
}

const STEP_EVENTS = 2_000;

const log = { info() {}, warn: console.warn, error: console.error };

async function fetchAll({ deployment, head }: Task, client: ChainClient): Promise<void> {
  const node = createNode({ client, chainId: deployment.chain_id, answerMs: 10_000 });
  const fetcher = createFetcher({ node, chainId: deployment.chain_id, deployment, span: 5_000, log });
  const products = new Map<Product["address"], Product>();
  const queues = new Map<Product["address"], Product["address"]>();
  for (let next = deployment.start_block; next <= head; ) {
    const asked = { from: next, to: head, most: STEP_EVENTS, checkedFrom: head - CHECKED_BLOCKS };
    const fetched = await fetcher.range(asked, { products, queues });
    for (const product of fetched.products) products.set(product.address, product);
    for (const event of fetched.events) if (event.name === "QueueSet") queues.set(event.queue, event.address);
    next = fetched.last.number + 1;
  }
}

async function index({ deployment, head }: Task, client: ChainClient, db: Database): Promise<void> {
  const indexer = createIndexer({
    db,
    client,
    chainId: deployment.chain_id,
    deployment,
    log,
    events: { publish() {} },
    settings: { confirmations: 0, stepEvents: STEP_EVENTS },
  });
  await indexer.start();
  while (indexer.status().cursor?.block !== head) await sleep(10);
  await indexer.stop();
}

process.once("message", async (task: Task) => {
  const client = clientAt(task.url);
  await client.getChainId();
  const db = task.databaseUrl === null ? null : await connectDatabase(task.databaseUrl);
  await sleep(500);
  const idle = process.memoryUsage.rss();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const cpu = await cpuSeconds(db);
  const started = performance.now();
  await (db ? index(task, client, db) : fetchAll(task, client));
  const seconds = (performance.now() - started) / 1_000;
  const run: Measured = { seconds, cpu: (await cpuSeconds(db)) - cpu, idle, longest: delay.max / 1e6 };
  process.send?.(run);
});
process.on("disconnect", () => process.exit());
