/**
 * Measures the time from a new block at the node to its rows in PostgreSQL, with a history of events behind it:
 * with a node that publishes its blocks and with one that is polled; after a reorganisation; after a restart. The chain
 * is the one of bench/indexer.ts. Run: npm run bench -- follow [events]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase } from "../apps/server/src/db/database.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { createIndexer } from "../apps/server/src/indexer/indexer.ts";
import { clientAt } from "../apps/server/test/indexer/history.ts";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import type { Deployment } from "../packages/sdk/src/deployment.ts";
import type { Move, Moved } from "./support/chainProcess.ts";

const EVENTS = Number(process.argv[3] ?? 103_000);
const BLOCKS = 300;
const TIMES = 5;
const REORG_BLOCKS = 64;
const PAUSE_MS = 100;
const goals = { p50: 25, p99: 150, reorg: 1_000, restart: 2_000 };

const log = { info() {}, warn() {}, error: console.error };
const now = () => performance.timeOrigin + performance.now();

console.log(
  `${new Date().toISOString().slice(0, 10)}, load ${loadavg()
    .map((one) => one.toFixed(1))
    .join(" ")}`,
);
const chain = fork(new URL("./support/chainProcess.ts", import.meta.url), [String(EVENTS)]);
const [served] = (await once(chain, "message")) as [{ url: string; deployment: Deployment; head: number }];
const { url, deployment } = served;
let { head } = served;

async function move(to: Move): Promise<number> {
  const moved = once(chain, "message");
  chain.send(to);
  const [{ at }] = (await moved) as [Moved];
  head = to.head;
  return at;
}

const postgres = await startPostgres([]);

async function openIndexer({ isSubscribed }: { isSubscribed: boolean }) {
  const db = await connectDatabase(postgres.url);
  await migrate(db);
  /** When each block was committed. */
  const committed = new Map<number, number>();
  const indexer = createIndexer({
    db,
    client: clientAt(url),
    chainId: deployment.chain_id,
    deployment,
    log,
    events: {
      publish: (name, data) => {
        if (name === "block") committed.set((data as { block: number }).block, now());
      },
    },
    // As on a public chain.
    settings: { pollMs: 500 },
    ...(isSubscribed && { headsUrl: url.replace(/^http/, "ws") }),
  });
  await indexer.start();
  /** Resolves with the time of the commit. */
  async function until(block: number): Promise<number> {
    for (;;) {
      const at = committed.get(block);
      if (at !== undefined) return at;
      if (indexer.status().cursor?.block === block && indexer.status().state === "live") return now();
      await sleep(1);
    }
  }
  async function stop(): Promise<void> {
    await indexer.stop();
    await db.close();
  }
  return { until, stop };
}

type Following = Awaited<ReturnType<typeof openIndexer>>;

async function follow({ until }: Following): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < BLOCKS; count += 1) {
    const at = await move({ head: head + 1 });
    times.push((await until(head)) - at);
    // Not a multiple of the interval of polling.
    await sleep(PAUSE_MS + 7 * (count % 20));
  }
  return times;
}

function at(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function show(name: string, times: readonly number[]): void {
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => `${at(times, part).toFixed(0)} ms`);
  console.log(`${name.padEnd(44)} p50 ${p50}, p99 ${p99}, at most ${most}`);
}

try {
  // The last blocks are not there yet.
  await move({ head: head - 2 * BLOCKS - 4 * TIMES });
  let following = await openIndexer({ isSubscribed: true });
  await following.until(head);
  const subscribed = await follow(following);

  const reorgs: number[] = [];
  for (let count = 0; count < TIMES; count += 1) {
    const begun = await move({ head: head + 1, fork: head - REORG_BLOCKS });
    reorgs.push((await following.until(head)) - begun);
  }

  const restarts: number[] = [];
  for (let count = 0; count < TIMES; count += 1) {
    await following.stop();
    const begun = await move({ head: head + 1 });
    following = await openIndexer({ isSubscribed: true });
    restarts.push((await following.until(head)) - begun);
  }
  await following.stop();

  following = await openIndexer({ isSubscribed: false });
  await following.until(head);
  const polled = await follow(following);
  await following.stop();

  show("a block, published by the node", subscribed);
  show("a block, node polled every 500 ms", polled);
  show(`a reorganisation of ${REORG_BLOCKS} blocks`, reorgs);
  show("from a start of the indexer to the new block", restarts);
  const isMissed =
    at(subscribed, 0.5) > goals.p50 ||
    at(subscribed, 0.99) > goals.p99 ||
    at(reorgs, 1) > goals.reorg ||
    at(restarts, 1) > goals.restart;
  if (isMissed) {
    console.error(`Goals in ms: ${JSON.stringify(goals)}`);
    process.exitCode = 1;
  }
} finally {
  chain.disconnect();
  await postgres.stop();
}
