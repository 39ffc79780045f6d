/**
 * Measures requests per second of the API and their latency, beside bare Fastify that sends the same bytes: the real
 * server on a PostgreSQL server, over a year of forty-two depositors, with a block every two seconds. Requests for a
 * wallet cycle through all depositors. Run: npm run bench -- api
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY } from "@aqua/sdk/durations";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { DEPOSITOR_COUNT, depositor } from "../devnet/src/accounts.ts";
import { startChain } from "../devnet/src/chain.ts";
import { deployContracts, writeDeployment } from "../devnet/src/deploy.ts";
import { sealBatches } from "../devnet/src/fleet/batches.ts";
import { OWNER_DELAY } from "../devnet/src/roles.ts";
import { planWorld } from "../devnet/src/seed/plan.ts";
import { runPlan } from "../devnet/src/seed/run.ts";
import { Sender } from "../devnet/src/sender.ts";
import { startServer } from "../devnet/src/server.ts";
import { freePort } from "../devnet/test/support/port.ts";
import { load, type Measured } from "./support/load.ts";

const BLOCK_SECONDS = 2;
const SECONDS = 2;
const [FEW, MANY] = [32, 128];

const wallets = Array.from({ length: DEPOSITOR_COUNT }, (_, index) => depositor(index).address);
const SHORT_ID = "sahel-solar";
const genesisTime = Math.floor(Date.now() / 1_000) - 365 * DAY;
const YEAR = `from=${genesisTime * 1_000}&to=${Date.now()}`;
/** Paths of each case, and the part of bare Fastify it is to reach. */
const cases: Record<string, { paths: readonly string[]; goal: number | null }> = {
  list: { paths: ["product/list"], goal: 0.5 },
  detail: { paths: [`product/${SHORT_ID}`], goal: 0.5 },
  liquidity: { paths: [`product/${SHORT_ID}/liquidity`], goal: 0.5 },
  performance: { paths: [`product/${SHORT_ID}/performance`], goal: 0.5 },
  hold: { paths: wallets.map((wallet) => `account/hold/${wallet}`), goal: 0.25 },
  totals: { paths: wallets.map((wallet) => `account/totalHoldValue/${wallet}`), goal: 0.25 },
  statement: { paths: wallets.map((wallet) => `account/statement/${wallet}?${YEAR}`), goal: null },
};

const dataDir = await mkdtemp(join(tmpdir(), "aqua-bench-"));
const postgres = await startPostgres([]);
const chain = await startChain({ port: await freePort(), blockTime: "manual", genesisTime });
const stops: (() => Promise<unknown>)[] = [
  () => rm(dataDir, { recursive: true, force: true }),
  postgres.stop,
  () => chain.stop(),
];

/** A year on chain, up to now. */
async function seed(): Promise<void> {
  const sender = await Sender.on(chain.rpc);
  const end = Math.floor(Date.now() / 1_000) - 30;
  const plan = planWorld({ start: genesisTime + 12, end: end - 30, depositors: DEPOSITOR_COUNT });
  const { evidence } = plan;
  const world = await deployContracts(sender, genesisTime + 12, { ownerDelay: OWNER_DELAY, evidence });
  await writeDeployment(dataDir, world.deployment);
  const { batches } = await sealBatches(plan, world.addresses.telemetryAnchor);
  await runPlan({ sender, world, plan, batches, end });
  await chain.follow(BLOCK_SECONDS);
}

async function startOurs(): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer({
    port,
    mqttPort: null,
    dataDir,
    publicUrl: url,
    databaseUrl: postgres.url,
    rpcUrl: chain.url,
    walletConnectProjectId: null,
    operatorToken: "operator-token-of-the-bench-0123456789",
    environment: { RATE_LIMIT_API: "1000000" },
  });
  stops.push(() => server.stop());
  return url;
}

/** Bare Fastify with these bodies. */
async function startFloor(bodies: readonly (readonly [string, string])[]): Promise<string> {
  const file = join(dataDir, "bodies.json");
  await writeFile(file, JSON.stringify(bodies));
  const port = await freePort();
  const floor: ChildProcess = fork(join(import.meta.dirname, "support", "floor.ts"), [file, String(port)]);
  stops.push(async () => floor.kill());
  await once(floor, "message");
  return `http://127.0.0.1:${port}`;
}

async function bodyOf(url: string): Promise<string> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`);
  return answer.text();
}

function told(name: string, { perSecond, p50, p99, refused }: Measured): string {
  const counts = Object.entries(refused).map(([status, count]) => `, ${count} × ${status}`);
  const figures = [perSecond.toFixed(0).padStart(6), "/s  p50", p50.toFixed(1), "p99", p99.toFixed(1), "ms"];
  return `  ${name.padEnd(28)} ${figures.join(" ")}${counts.join("")}`;
}

try {
  await seed();
  const ours = await startOurs();
  const paths = (name: string) => (cases[name]?.paths ?? []).map((path) => `/api/v2/${path}`);
  const bodies: [string, string][] = [];
  // One after another: the server bounds the connections of one address, and those of these would stay open for a while.
  for (const path of Object.keys(cases).flatMap(paths)) bodies.push([path, await bodyOf(`${ours}${path}`)]);
  const floor = await startFloor(bodies);
  let isReached = true;
  for (const [name, { goal }] of Object.entries(cases)) {
    console.log(name);
    for (const connections of [FEW, MANY]) {
      const asked = { paths: paths(name), connections };
      // In turns, after a while for each to get warm.
      for (const url of [floor, ours]) await load({ ...asked, url, seconds: 1 });
      const bare = await load({ ...asked, url: floor, seconds: SECONDS });
      const own = await load({ ...asked, url: ours, seconds: SECONDS });
      const half = await load({ ...asked, url: ours, seconds: SECONDS, rate: own.perSecond / 2 });
      const part = own.perSecond / bare.perSecond;
      console.log(told(`${connections} connections: floor`, bare));
      console.log(`${told("ours", own)}: ${(part * 100).toFixed(0)} % of the floor`);
      console.log(told("ours at half of that", half));
      isReached &&= part >= (goal ?? 0);
    }
  }
  if (!isReached) {
    console.error("A case is below its goal.");
    process.exitCode = 1;
  }
} finally {
  for (const stop of stops.reverse()) await stop();
}
