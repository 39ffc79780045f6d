/**
 * Measures the API of what `npm run build` makes, on a PostgreSQL server, over a year of forty-two depositors, with a
 * block every two seconds. Run: npm run bench -- api [rates|memory]
 *
 * `rates`: requests per second and their latency, beside bare Fastify that sends the same bytes, in turns of a second.
 * Requests for a wallet cycle through all depositors. The share is stated by requests per second and by processor time
 * of server and database, which other work on the machine changes less.
 * `memory`: what the server holds before and after a mixed load.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DEPOSITOR_COUNT, depositor } from "../devnet/src/accounts.ts";
import { build, startBuilt, startFloor, untilFollowing } from "./support/built.ts";
import { cpuOf, cpuOfChildren } from "./support/cpu.ts";
import { type Figure, printGoals } from "./support/goals.ts";
import { load, type Measured } from "./support/load.ts";
import { medianOfEach } from "./support/median.ts";
import { measureMemory } from "./support/mixedLoad.ts";
import { startSeeded } from "./support/seeded.ts";

const TURNS = 5;
const WARM_S = 3;
const [FEW, MANY] = [32, 128];
const HALF_P99_MS = 50;

const part = process.argv[3] ?? "rates";
const seeded = await startSeeded();
const stops: (() => unknown)[] = [seeded.stop];

const wallets = Array.from({ length: DEPOSITOR_COUNT }, (_, index) => depositor(index).address);
const SHORT_ID = "sahel-solar";
const YEAR = `from=${seeded.genesisTime * 1_000}&to=${Date.now()}`;
/** Paths of each case, and the part of bare Fastify it is to reach. */
const cases: Record<string, { paths: readonly string[]; goal: number | null }> = {
  list: { paths: ["product/list"], goal: 0.3 },
  detail: { paths: [`product/${SHORT_ID}`], goal: 0.3 },
  liquidity: { paths: [`product/${SHORT_ID}/liquidity`], goal: 0.5 },
  performance: { paths: [`product/${SHORT_ID}/performance`], goal: 0.5 },
  hold: { paths: wallets.map((wallet) => `account/hold/${wallet}`), goal: 0.2 },
  totals: { paths: wallets.map((wallet) => `account/totalHoldValue/${wallet}`), goal: null },
  statement: { paths: wallets.map((wallet) => `account/statement/${wallet}?${YEAR}`), goal: 0.05 },
};

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

/** A second of load with the processor time of an answer. */
async function turn(asked: Parameters<typeof load>[0], cpu: () => number) {
  const before = cpu();
  const measured = await load(asked);
  return { ...measured, cpu: (cpu() - before) / (measured.perSecond * asked.seconds) };
}

async function measureRates(ours: Awaited<ReturnType<typeof startBuilt>>): Promise<Figure[]> {
  const figures: Figure[] = [];
  const paths = (name: string) => (cases[name]?.paths ?? []).map((path) => `/api/v2/${path}`);
  const bodies: [string, string][] = [];
  // One after another: the server bounds the connections of one address, and those of these would stay open for a while.
  for (const path of Object.keys(cases).flatMap(paths)) bodies.push([path, await bodyOf(`${ours.url}${path}`)]);
  const file = join(seeded.dataDir, "bodies.json");
  await writeFile(file, JSON.stringify(bodies));
  const floor = await startFloor(file);
  stops.push(floor.stop);
  for (const [name, { goal }] of Object.entries(cases)) {
    for (const connections of [FEW, MANY]) {
      const where = `${name}, ${connections} connections`;
      const asked = { paths: paths(name), connections, seconds: 1 };
      for (const { url } of [floor, ours]) await load({ ...asked, url, seconds: WARM_S });
      const turns: { bare: Measured; own: Measured; share: number; ofCpu: number }[] = [];
      for (let count = 0; count < TURNS; count += 1) {
        const bare = await turn({ ...asked, url: floor.url }, () => cpuOf(floor.pid));
        const own = await turn({ ...asked, url: ours.url }, () => cpuOf(ours.pid) + cpuOfChildren(seeded.postgresPid));
        turns.push({ bare, own, share: own.perSecond / bare.perSecond, ofCpu: bare.cpu / own.cpu });
      }
      const { share, ofCpu } = medianOfEach(turns.map(({ share, ofCpu }) => ({ share, ofCpu })));
      const middle = (which: "bare" | "own") =>
        turns.map((each) => each[which]).sort((a, b) => a.perSecond - b.perSecond)[TURNS >> 1] as Measured;
      const own = middle("own");
      const half = await load({ ...asked, url: ours.url, seconds: 2, rate: own.perSecond / 2 });
      console.log(where);
      console.log(told("floor", middle("bare")));
      console.log(
        `${told("ours", own)}: ${(share * 100).toFixed(0)} % of the floor, ${(ofCpu * 100).toFixed(0)} % by processor time`,
      );
      console.log(told("ours at half of that", half));
      if (goal !== null)
        figures.push({ what: "part of the floor", where, measured: share, goal, unit: "", least: true });
      figures.push({ what: "p99 at half load", where, measured: half.p99, goal: HALF_P99_MS, unit: "ms" });
    }
  }
  return figures;
}

try {
  const built = await build();
  stops.push(built.remove);
  const ours = await startBuilt(built, seeded);
  stops.push(ours.stop);
  await untilFollowing(ours);
  printGoals(await (part === "memory" ? measureMemory(ours, wallets) : measureRates(ours)));
} finally {
  for (const stop of stops.reverse()) await stop();
}
