/**
 * Measures what `npm run build` makes, as it runs in production beside the seeded chain and a PostgreSQL server of its
 * own: size, start to ready, and memory and processor at rest after its pages were rendered: without the audit, while it
 * compares the whole history, and after that. Run: npm run bench -- dist
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditSummary } from "@aqua/sdk/api/transparency";
import { startPostgres } from "../apps/server/test/support/startPostgres.ts";
import { startWorld } from "../devnet/src/world.ts";
import { build, startBuilt } from "./support/built.ts";
import { cpuOf } from "./support/cpu.ts";
import { printGoals } from "./support/goals.ts";

const STARTS = 5;
const REST_S = 60;

const built = await build();
const postgres = await startPostgres([]);
const dataDir = join(built.folder, "world");
const world = await startWorld({ dataDir, chainPort: 38545, httpPort: 38081, server: false });
const parts = { dataDir, databaseUrl: postgres.url, rpcUrl: world.rpcUrl };

async function start(settings: Record<string, string> = {}) {
  const started = performance.now();
  const server = await startBuilt(built, parts, { MQTT_PORT: "38883", ...settings });
  return { ...server, seconds: (performance.now() - started) / 1_000 };
}
type Server = Awaited<ReturnType<typeof start>>;

const memoryOf = (pid: number) =>
  Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Memory in MiB and per cent of a core in a minute, a minute after the pages were rendered. */
async function atRest({ url, pid }: Server): Promise<{ memory: number; percent: number }> {
  for (const path of ["/", "/products", "/product/aegean-water", "/transparency"])
    await (await fetch(url + path)).text();
  await sleep(REST_S * 1_000);
  const before = cpuOf(pid);
  await sleep(REST_S * 1_000);
  return { memory: memoryOf(pid), percent: ((cpuOf(pid) - before) / REST_S) * 100 };
}

/** Resolves once the audit that began after `since` has compared the whole history. Returns its minutes. */
async function untilAudited({ url }: Server, since: number): Promise<number> {
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
  await first.stop();
  const seconds: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const server = await start();
    seconds.push(server.seconds);
    await server.stop();
  }
  const unaudited = await start({ AUDIT_CORE_PERCENT: "0" });
  const without = await atRest(unaudited);
  await unaudited.stop();
  const since = Date.now();
  const server = await start();
  const during = await atRest(server);
  const minutes = await untilAudited(server, since);
  const rest = await atRest(server);
  await server.stop();
  const median = seconds.toSorted((one, other) => one - other)[Math.floor(STARTS / 2)] ?? Number.NaN;
  console.log(`first start, on an empty database: ${first.seconds.toFixed(1)} s`);
  const textOf = ({ memory, percent }: typeof rest) => `${memory.toFixed(0)} MiB, ${percent.toFixed(1)} % of a core`;
  console.log(`without an audit: ${textOf(without)}`);
  console.log(`while the whole history is audited, ${minutes.toFixed(1)} min: ${textOf(during)}`);
  printGoals([
    { what: "size, MB", where: "dist", measured: built.bytes / 1e6, goal: 35, unit: "" },
    { what: `start to ready, s, median of ${STARTS}`, where: "dist/server.js", measured: median, goal: 3, unit: "" },
    { what: "memory at rest, MiB", where: "dist/server.js", measured: rest.memory, goal: 180, unit: "" },
    { what: "processor at rest, % of a core", where: "dist/server.js", measured: rest.percent, goal: 2, unit: "" },
  ]);
} finally {
  await world.stop();
  await postgres.stop();
  await built.remove();
}
