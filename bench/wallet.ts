/**
 * Measures requests per second of the API for random wallets among 100 000, and their latency, beside bare Fastify that
 * sends the same bytes, on a PostgreSQL server with a block every two seconds; and the time for the statement of a
 * wallet with 200 movements in a year. Run: npm run bench -- wallet
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { YEAR } from "@aqua/sdk/durations";
import { connectDatabase } from "../apps/server/src/db/database.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { freePort } from "../devnet/test/support/port.ts";
import { load, type Measured } from "./support/load.ts";
import { BUSY, BUSY_LINES, END, fillWallets, nextBlock, walletOf } from "./support/wallets.ts";

const WALLETS = 100_000;
/** So many of them are asked about, so that bare Fastify can hold their answers. */
const ASKED = 2_000;
const SECONDS = Number(process.env.BENCH_S ?? 6);
const BLOCK_MS = 2_000;
const STATEMENT_MS = 10;

const some = Array.from({ length: ASKED }, (_, index) => walletOf((index * 48_271) % WALLETS));
const year = `from=${(END - YEAR) * 1_000}&to=${(END + YEAR) * 1_000}`;
/** Paths of each case, and the part of bare Fastify it is to reach. */
const cases: Record<string, { paths: readonly string[]; goal: number | null }> = {
  hold: { paths: some.map((wallet) => `hold/${wallet}`), goal: 0.25 },
  totalHoldValue: { paths: some.map((wallet) => `totalHoldValue/${wallet}`), goal: 0.25 },
  totalProfit: { paths: some.map((wallet) => `totalProfit/${wallet}`), goal: null },
  transaction: { paths: some.map((wallet) => `transaction/${wallet}`), goal: null },
  requests: { paths: some.map((wallet) => `requests/${wallet}`), goal: null },
  statement: { paths: some.map((wallet) => `statement/${wallet}?${year}`), goal: null },
};

const folder = await mkdtemp(join(tmpdir(), "aqua-bench-"));
const postgres = await startPostgres([]);
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true }), postgres.stop];

async function start(script: string, argument: string): Promise<string> {
  const port = await freePort();
  const child: ChildProcess = fork(join(import.meta.dirname, "support", script), [argument, String(port)]);
  stops.push(async () => child.kill());
  const [said] = await Promise.race([once(child, "message"), once(child, "exit")]);
  if (said !== "listening") throw new Error(`${script} does not listen`);
  return `http://127.0.0.1:${port}/api/v2/account/`;
}

function told(name: string, { perSecond, p50, p99, refused }: Measured): string {
  const counts = Object.entries(refused).map(([status, count]) => `, ${count} × ${status}`);
  const figures = [perSecond.toFixed(0).padStart(6), "/s  p50", p50.toFixed(1), "p99", p99.toFixed(1), "ms"];
  return `  ${name.padEnd(28)} ${figures.join(" ")}${counts.join("")}`;
}

try {
  const db = await connectDatabase(postgres.url);
  stops.push(() => db.close());
  await migrate(db);
  await db.transaction((tx) => fillWallets(tx, WALLETS));
  await db.orm.execute("vacuum analyze");
  const ours = await start("walletServer.ts", postgres.url);
  let isReached = true;

  for (const [name, { paths, goal }] of Object.entries(cases)) {
    const bodies: [string, string][] = [];
    for (const path of paths) {
      const answer = await fetch(`${ours}${path}`);
      bodies.push([`/api/v2/account/${path.split("?")[0]}`, await answer.text()]);
    }
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(bodies));
    const floor = await start("floor.ts", file);
    const asked = { paths: paths.map((path) => `/api/v2/account/${path}`), connections: 32 };
    // In turns, after a while for each to get warm.
    for (const url of [floor, ours]) await load({ ...asked, url, seconds: 1 });
    const bare = await load({ ...asked, url: floor, seconds: SECONDS });
    const blocks = setInterval(() => void nextBlock(db.orm), BLOCK_MS);
    const own = await load({ ...asked, url: ours, seconds: SECONDS });
    const half = await load({ ...asked, url: ours, seconds: SECONDS, rate: own.perSecond / 2, connections: 128 });
    clearInterval(blocks);
    const part = own.perSecond / bare.perSecond;
    console.log(name);
    console.log(told("floor", bare));
    console.log(`${told("ours", own)}: ${(part * 100).toFixed(0)} % of the floor`);
    console.log(told("ours at half of that", half));
    isReached &&= part >= (goal ?? 0);
  }

  const long = [`/api/v2/account/statement/${walletOf(BUSY)}?${year}`];
  const one = await load({ url: ours, paths: long, connections: 1, seconds: SECONDS });
  console.log(`a statement of ${BUSY_LINES} lines, one after the other`);
  console.log(told("ours", one));
  isReached &&= one.p50 <= STATEMENT_MS;
  if (!isReached) {
    console.error("A case is below its goal.");
    process.exitCode = 1;
  }
} finally {
  for (const stop of stops.reverse()) await stop();
}
