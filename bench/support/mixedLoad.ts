import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { languageCodes } from "@aqua/sdk/languages";
import type { Figure } from "./goals.ts";

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 12_000);
const AT_ONCE = 12;
const REST_S = 30;
const GOAL_MIB = 350;

const PAGES = ["/", "/home", "/products", "/transparency", "/about"];
const OF_PRODUCT = ["/product/", "/liquidity/", "/performance/"];
/** Values that a caller who tries things out puts into paths and queries. */
const ODD = [
  "",
  "0",
  "-1",
  "1e309",
  "9".repeat(400),
  "a".repeat(2_000),
  "../../etc/passwd",
  "%F0%9F%8C%8A",
  "<svg>",
  "null",
  "*",
];

interface Server {
  url: string;
}

/** The same sequence in each run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Asks from one of ten networks and reads the answer. Returns its status. */
function ask(url: URL, language: string, agent: Agent): Promise<number> {
  const headers = { "accept-language": language, accept: "text/html,*/*", "accept-encoding": "br" };
  return new Promise((resolve, reject) => {
    request(url, { headers, agent }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    })
      .once("error", reject)
      .end();
  });
}

async function memoryOf({ url }: Server): Promise<Record<"rss" | "heap" | "external", number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]) / 2 ** 20;
  return {
    rss: of("process_resident_memory_bytes"),
    heap: of("nodejs_heap_size_used_bytes"),
    external: of("nodejs_external_memory_bytes"),
  };
}

/** Every GET of the API with values of its parameters, fuzzed calls, and pages in all languages; then memory at rest. */
export async function measureMemory(server: Server, wallets: readonly string[]): Promise<Figure[]> {
  const { paths } = (await (await fetch(`${server.url}/api/v2/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  const routes = Object.keys(paths).filter((path) => "get" in (paths[path] ?? {}) && !/events|metrics/.test(path));
  const listed = (await (await fetch(`${server.url}/api/v2/product/list`)).json()) as {
    data: { items: { short_id: string }[] };
  };
  const products = listed.data.items.map(({ short_id }) => short_id);
  const next = sequence(1);
  const oneOf = <T>(values: readonly T[]): T => values[next(values.length)] as T;
  const valueFor = (name: string) => {
    if (name === "short_id") return oneOf(products);
    if (/address|wallet/.test(name)) return oneOf(wallets);
    return String(next(1_000));
  };
  const fuzzed = () => encodeURIComponent(decodeURIComponent(oneOf(ODD))) || String(next(1e9));
  const read = () => oneOf(routes).replace(/\{(\w+)\}/g, (_, name: string) => valueFor(name));
  const page = () => (next(3) === 0 ? oneOf(PAGES) : oneOf(OF_PRODUCT) + oneOf(products));
  const kinds = [
    read,
    read,
    () => `${read()}?page=${next(1e6)}&page_size=${1 + next(50)}&lang=${oneOf(languageCodes)}`,
    () => `${read()}?${fuzzed()}=${fuzzed()}&range=${fuzzed()}`,
    () => oneOf(routes).replace(/\{(\w+)\}/g, fuzzed),
    () => `/${fuzzed()}/${fuzzed()}`,
    page,
    page,
  ];
  const statuses: Record<string, number> = {};
  const agents = Array.from({ length: 10 }, (_, n) => new Agent({ keepAlive: true, localAddress: `127.0.1.${n + 1}` }));
  async function visitor(requests: number): Promise<void> {
    for (let count = 0; count < requests; count += 1) {
      const status = await ask(new URL(oneOf(kinds)(), server.url), oneOf(languageCodes), oneOf(agents));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
  const tell = async (when: string) => {
    const { rss, heap, external } = await memoryOf(server);
    const figures = `${rss.toFixed(0)} MiB resident, ${heap.toFixed(0)} MiB of objects, ${external.toFixed(0)} MiB beside them`;
    console.log(`${when.padEnd(20)} ${figures}`);
    return rss;
  };
  await tell("before");
  let most = 0;
  for (let quarter = 1; quarter <= 4; quarter += 1) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => visitor(REQUESTS / 4 / AT_ONCE)));
    most = Math.max(most, await tell(`${(REQUESTS / 4) * quarter} requests`));
  }
  for (const agent of agents) agent.destroy();
  console.log(`answers by status: ${JSON.stringify(statuses)}`);
  await sleep(REST_S * 1_000);
  await tell(`${REST_S} s later`);
  return [
    { what: "memory under a mixed load, MiB", where: `${REQUESTS} requests`, measured: most, goal: GOAL_MIB, unit: "" },
  ];
}
