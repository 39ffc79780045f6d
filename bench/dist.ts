/**
 * Measures what `npm run build` makes, as it runs in production beside the seeded chain and a PostgreSQL server of its
 * own: size, start to ready, and memory and processor at rest after its pages were rendered: without the audit, while it
 * compares the whole history, and after that. Run: npm run bench -- dist
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditSummary } from "@aqua/sdk/api/transparency";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { buildWeb } from "../devnet/src/build.ts";
import { deploymentsFolder } from "../devnet/src/deploy.ts";
import { productsFolder } from "../devnet/src/documents.ts";
import { startWorld } from "../devnet/src/world.ts";
import { buildDistribution } from "../scripts/distribution.ts";
import { cpuOf } from "./support/cpu.ts";
import { printGoals } from "./support/goals.ts";

const STARTS = 5;
const REST_S = 60;
const PORT = 38080;
const url = `http://127.0.0.1:${PORT}`;

const scratch = await mkdtemp(join(tmpdir(), "aqua-bench-"));
await chmod(scratch, 0o755);
await buildWeb("production");
const dist = join(scratch, "dist");
const { bytes } = await buildDistribution(dist);
const postgres = await startPostgres([]);
const dataDir = join(scratch, "world");
const world = await startWorld({ dataDir, chainPort: 38545, httpPort: 38081, server: false });

async function start(settings: Record<string, string> = {}): Promise<{ child: ChildProcess; seconds: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, [join(dist, "server.js")], {
    cwd: scratch,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      NODE_ENV: "production",
      PORT: String(PORT),
      MQTT_PORT: "38883",
      DATABASE_URL: postgres.url,
      SECRET_KEY: "ab".repeat(32),
      SMTP_URL: "smtp://127.0.0.1:25",
      RPC_URL_31337: world.rpcUrl,
      DEPLOYMENTS_DIR: deploymentsFolder(dataDir),
      PRODUCTS_DIR: productsFolder,
      ...settings,
    },
  });
  while (!(await fetch(`${url}/ready`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error("the server ended");
    await sleep(10);
  }
  return { child, seconds: (performance.now() - started) / 1000 };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

const memoryOf = (pid = 0) => Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Memory in MiB and per cent of a core in a minute, a minute after the pages were rendered. */
async function atRest(child: ChildProcess): Promise<{ memory: number; percent: number }> {
  for (const path of ["/", "/products", "/product/aegean-water", "/transparency"])
    await (await fetch(url + path)).text();
  await sleep(REST_S * 1_000);
  const before = cpuOf(child.pid ?? 0);
  await sleep(REST_S * 1_000);
  return { memory: memoryOf(child.pid), percent: ((cpuOf(child.pid ?? 0) - before) / REST_S) * 100 };
}

/** Resolves once the audit that began after `since` has compared the whole history. Returns its minutes. */
async function untilAudited(since: number): Promise<number> {
  for (;;) {
    const { data } = (await (await fetch(`${url}/api/v2/transparency/audit`)).json()) as { data: AuditSummary };
    const whole = data.chains[0]?.whole ?? null;
    if (whole !== null && whole.started >= since) return (whole.ended - whole.started) / 60_000;
    await sleep(1_000);
  }
}

try {
  // The first start creates the tables and fills them.
  const first = await start();
  await stop(first.child);
  const seconds: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const { child, seconds: taken } = await start();
    seconds.push(taken);
    await stop(child);
  }
  const { child: unaudited } = await start({ AUDIT_CORE_PERCENT: "0" });
  const without = await atRest(unaudited);
  await stop(unaudited);
  const since = Date.now();
  const { child } = await start();
  const during = await atRest(child);
  const minutes = await untilAudited(since);
  const rest = await atRest(child);
  await stop(child);
  const median = seconds.toSorted((one, other) => one - other)[Math.floor(STARTS / 2)] ?? Number.NaN;
  console.log(`first start, on an empty database: ${first.seconds.toFixed(1)} s`);
  const textOf = ({ memory, percent }: typeof rest) => `${memory.toFixed(0)} MiB, ${percent.toFixed(1)} % of a core`;
  console.log(`without an audit: ${textOf(without)}`);
  console.log(`while the whole history is audited, ${minutes.toFixed(1)} min: ${textOf(during)}`);
  printGoals([
    { what: "size, MB", where: "dist", measured: bytes / 1e6, goal: 35, unit: "" },
    { what: `start to ready, s, median of ${STARTS}`, where: "dist/server.js", measured: median, goal: 3, unit: "" },
    { what: "memory at rest, MiB", where: "dist/server.js", measured: rest.memory, goal: 180, unit: "" },
    { what: "processor at rest, % of a core", where: "dist/server.js", measured: rest.percent, goal: 2, unit: "" },
  ]);
} finally {
  await world.stop();
  await postgres.stop();
  await rm(scratch, { recursive: true, force: true });
}
