/**
 * Measures the pages that the server renders, of what `npm run build` makes, over the seeded year: pages a second on one
 * core beside plain React 19 with a table of 1,000 rows, in the same process; a page that is rendered already beside
 * bare Fastify with the same bytes; and the latency of `GET network` while pages are rendered without a pause.
 * Run: npm run bench -- ssr
 */
import { readFile, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { languageCodes } from "@aqua/sdk/languages";
import { build, startBuilt, startFloor, untilFollowing } from "./support/built.ts";
import { cpuOf } from "./support/cpu.ts";
import { load, type Measured } from "./support/load.ts";
import { medianOfEach } from "./support/median.ts";
import { startSeeded } from "./support/seeded.ts";

const PATHS = ["/", "/products", "/product/aegean-water", "/performance/aegean-water", "/transparency"];
const TURNS = 5;
const ROWS = 1_000;
const SECONDS = 8;
/** Requests a second for `GET network`, as some visitors make them. */
const RATE = 40;

process.env.NODE_ENV = "production";
const ofWeb = createRequire(join(import.meta.dirname, "../apps/web/package.json"));
const { createElement } = ofWeb("react");
const { renderToString } = ofWeb("react-dom/server");

/** The published benchmark of server rendering: a table of 1,000 rows with an id and a name. */
function table(): string {
  const cell = (text: string) => createElement("td", null, text);
  const rows = Array.from({ length: ROWS }, (_, n) =>
    createElement("tr", { key: n }, cell(`id ${n}`), cell(`name of entry ${n}`)),
  );
  return renderToString(createElement("table", null, createElement("tbody", null, rows)));
}

/** Pages a second of this process's processor time. */
async function perCore(render: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  let pages = 0;
  for (const end = performance.now() + 1_000; performance.now() < end; pages += 1) await render();
  const { user, system } = process.cpuUsage(before);
  return pages / ((user + system) / 1e6);
}

function told(name: string, { perSecond, p50, p99 }: Measured): void {
  console.log(`${name.padEnd(40)} ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
}

/** Asks for every page in every language from five networks, again and again. Returns a function that ends it. */
function askForPages(url: string, paths: readonly string[]): () => Promise<number> {
  let isEnded = false;
  let filled = 0;
  async function visitor(network: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, localAddress: `127.0.1.${network}` });
    for (let n = network; !isEnded; n += 1) {
      const language = languageCodes[n % languageCodes.length] as string;
      const path = paths[Math.floor(n / languageCodes.length) % paths.length] as string;
      const headers = { "accept-language": language, accept: "text/html" };
      const body = await new Promise<string>((resolve, reject) => {
        request(url + path, { agent, headers }, async (answer) => {
          let text = "";
          for await (const chunk of answer) text += chunk;
          resolve(text);
        })
          .once("error", reject)
          .end();
      });
      if (!body.includes('<div id="root"></div>')) filled += 1;
    }
    agent.destroy();
  }
  const visitors = [1, 2, 3, 4, 5].map(visitor);
  return async () => {
    isEnded = true;
    await Promise.all(visitors);
    return filled;
  };
}

const seeded = await startSeeded();
const stops: (() => unknown)[] = [seeded.stop];
try {
  const built = await build();
  stops.push(built.remove);
  const ours = await startBuilt(built, seeded);
  stops.push(ours.stop);
  await untilFollowing(ours);

  const web = join(built.dist, "web");
  const template = await readFile(join(web, "index.html"), "utf8");
  const chunks = JSON.parse(await readFile(join(web, ".vite/chunks.json"), "utf8"));
  const { renderPage } = await import(pathToFileURL(join(web, ".server/server.js")).href);
  const answers = new Map<string, { body: string; status: number }>();
  /** The API's answers, each asked for once, so that only the rendering is measured. */
  const answer: typeof fetch = async (input) => {
    const path = String(input);
    const known = answers.get(path);
    const headers = { "content-type": "application/json" };
    if (known) return new Response(known.body, { status: known.status, headers });
    const given = await fetch(new URL(path, ours.url));
    answers.set(path, { body: await given.text(), status: given.status });
    return answer(input);
  };
  const parts = { origin: ours.url, language: "en-US", template, chunks, lastEventId: "run-1", fetch: answer };
  const turns: Record<string, number>[] = [];
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const rates: Record<string, number> = { table: await perCore(table) };
    for (const path of PATHS) rates[path] = await perCore(() => renderPage({ path, ...parts }));
    // The first turn is for getting warm.
    if (turn > 0) turns.push(rates);
  }
  const rates = medianOfEach(turns);
  for (const [name, rate] of Object.entries(rates)) {
    const beside = name === "table" ? "" : `, ${(rate / (rates.table as number)).toFixed(2)} × the table`;
    console.log(`${`rendered: ${name}`.padEnd(40)} ${rate.toFixed(0)} pages/s of a core${beside}`);
  }

  const file = join(seeded.dataDir, "pages.json");
  const bodies = await Promise.all(PATHS.map(async (path) => [path, await (await fetch(ours.url + path)).text()]));
  await writeFile(file, JSON.stringify(bodies));
  const floor = await startFloor(file);
  stops.push(floor.stop);
  for (const path of PATHS) {
    const asked = { paths: [path], connections: 32, seconds: 2 };
    for (const { url } of [floor, ours]) await load({ ...asked, url });
    const bare = await load({ ...asked, url: floor.url });
    const own = await load({ ...asked, url: ours.url });
    told(`${path}: bare Fastify`, bare);
    told(`${path}: ours, once a block`, own);
    console.log(`  ${((own.perSecond / bare.perSecond) * 100).toFixed(0)} % of bare Fastify`);
  }

  const quietly = { url: ours.url, paths: ["/api/v2/network"], connections: 4, seconds: SECONDS, rate: RATE };
  told("GET network, quiet", await load(quietly));
  const { data } = (await (await fetch(`${ours.url}/api/v2/product/list`)).json()) as {
    data: { items: { short_id: string }[] };
  };
  const ofProducts = data.items.flatMap(({ short_id }) => [`/product/${short_id}`, `/performance/${short_id}`]);
  const before = cpuOf(ours.pid);
  const end = askForPages(ours.url, [...PATHS, ...ofProducts]);
  told("GET network, while pages are rendered", await load(quietly));
  console.log(
    `${(await end()).toString()} pages meanwhile, ${((cpuOf(ours.pid) - before) / SECONDS).toFixed(2)} of a core`,
  );
} finally {
  for (const stop of stops.reverse()) await stop();
}
process.exit(0);
