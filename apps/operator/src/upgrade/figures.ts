import { get } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Orm } from "../../../server/src/db/database.ts";
import { CommandError } from "../api.ts";

/** A figure: a number, a decimal in a text, or null where it is unknown. */
export type Figure = number | string | null;

/** A figure that differs. `old` or `new` is undefined where that build has none of this path. */
export interface Difference {
  path: string;
  old: Figure | undefined;
  new: Figure | undefined;
}

export interface Comparison {
  /** Number of figures of the old build that were compared. */
  count: number;
  wallets: number;
  differences: Difference[];
}

const DECIMAL = /^-?\d+(\.\d+)?$/;
/** So many wallets and figures of wallets are compared, if there are as many, besides all of products and transparency. */
const WALLETS = 100;
const FIGURES = 1_000;
/** A server that is busy says so at once; after so many refusals it has another reason. */
const TRIES = 20;
const PAUSE_MS = 500;
/** Answers that follow the clock are cached for 5 s. */
const CLOCK_MS = 6_000;

const ofAll = [
  "product/list?page_size=100",
  "product/summary",
  "product/home",
  "transparency/summary",
  "transparency/acts?page_size=100",
  "transparency/anchors?page_size=100",
  "transparency/devices",
  "transparency/losses",
];
const ofProduct = (shortId: string) =>
  [
    "",
    "/performance?range=all",
    "/liquidity",
    "/transactions?page_size=100",
    "/queue?page_size=100",
    "/income?range=all",
    "/income/next",
    "/announcements",
    "/devices",
  ].map((rest) => `product/${encodeURIComponent(shortId)}${rest}`);
const ofWallet = (wallet: string) =>
  [
    `hold/${wallet}?page_size=100`,
    `totalHoldValue/${wallet}`,
    `totalProfit/${wallet}?range=all`,
    `transaction/${wallet}?page_size=100`,
    `requests/${wallet}`,
  ].map((rest) => `account/${rest}`);

/** Calls of the API, in groups that are asked at once. */
export interface Calls {
  ofProducts: string[][];
  ofWallets: string[][];
}

/** The calls whose answers are compared, those of a product or a wallet together. The order of wallets is one of chance. */
export async function callsOf(orm: Orm): Promise<Calls> {
  const products = await orm.execute<{ id: string }>(sql`select distinct short_id as id from product order by 1`);
  const wallets = await orm.execute<{ wallet: string }>(
    sql`select wallet from (select distinct wallet from position) as w order by md5(wallet)`,
  );
  return {
    ofProducts: [ofAll, ...products.rows.map(({ id }) => ofProduct(id))],
    ofWallets: wallets.rows.map(({ wallet }) => ofWallet(wallet)),
  };
}

/** Asks both servers for the same figures. Figures that only the new one has are no difference. */
export async function compareServers({
  oldUrl,
  newUrl,
  calls,
  signal,
}: {
  oldUrl: string;
  newUrl: string;
  calls: Calls;
  signal: AbortSignal;
}): Promise<Comparison> {
  let [count, wallets] = [0, 0];
  const differing: string[] = [];
  async function compare(call: string): Promise<{ count: number; differences: Difference[] }> {
    const [old, young] = await Promise.all([ask(oldUrl, call, signal), ask(newUrl, call, signal)]);
    return differencesOf(call, old, young);
  }
  async function compareAll(all: readonly string[]): Promise<number> {
    const compared = await Promise.all(all.map(compare));
    differing.push(...all.filter((_, index) => compared[index]?.differences.length !== 0));
    return compared.reduce((sum, { count }) => sum + count, 0);
  }
  for (const product of calls.ofProducts) count += await compareAll(product);
  let ofWallets = 0;
  for (const wallet of calls.ofWallets) {
    if (wallets >= WALLETS && ofWallets >= FIGURES) break;
    wallets += 1;
    const more = await compareAll(wallet);
    ofWallets += more;
    count += more;
  }
  const differences: Difference[] = [];
  // A figure that follows the clock may have changed between the two answers.
  if (differing.length > 0) await sleep(CLOCK_MS, undefined, { signal });
  for (const call of differing) differences.push(...(await compare(call)).differences);
  return { count, wallets, differences };
}

interface Answer {
  status: number;
  data: unknown;
}

/** Asks without a limit of time: a server that works on an answer is waited for, one that ends breaks the call off. */
async function ask(url: string, call: string, signal: AbortSignal): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await getJson(`${url}/api/v2/${call}`, signal).catch(async (error: Error) => {
      // If the server has ended, that is the reason, and it is about to be known.
      await sleep(PAUSE_MS, undefined, { signal });
      throw new CommandError(`a server breaks its answer to ${call} off: ${error.message}`);
    });
    if (answer.status < 500) return answer;
    if (attempt === TRIES) throw new CommandError(`a server answers ${call} with ${answer.status}`);
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

function getJson(url: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { signal, agent: false }, (response) => {
      json(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, data: (body as { data?: unknown }).data }),
        reject,
      );
    }).once("error", reject);
  });
}

/** Compares two answers of a call. An old build that does not know the call has no figures of it. */
function differencesOf(call: string, old: Answer, young: Answer): { count: number; differences: Difference[] } {
  const [path = ""] = call.split("?");
  const before = new Map(old.status === 200 ? figuresIn(path, old.data) : []);
  const after = new Map(young.status === 200 ? figuresIn(path, young.data) : []);
  const differences: Difference[] = [];
  for (const [at, figure] of before) {
    const now = after.get(at);
    if (now !== figure) differences.push({ path: at, old: figure, new: now });
  }
  return { count: before.size, differences };
}

/** All figures of an answer with their paths. The length of a list is one too. */
function* figuresIn(path: string, value: unknown): Generator<[path: string, figure: Figure]> {
  if (Array.isArray(value)) {
    yield [`${path}.length`, value.length];
    for (const [index, item] of value.entries()) yield* figuresIn(`${path}[${index}]`, item);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) yield* figuresIn(`${path}.${name}`, item);
  } else if (value === null || typeof value === "number" || (typeof value === "string" && DECIMAL.test(value))) {
    yield [path, value];
  }
}

/** Differences in words: for each field its first one, and in how many places it differs. */
export function differencesInWords(differences: readonly Difference[]): string {
  const fields = new Map<string, { first: Difference; count: number }>();
  for (const difference of differences) {
    const field = fieldOf(difference.path);
    const { first, count } = fields.get(field) ?? { first: difference, count: 0 };
    fields.set(field, { first, count: count + 1 });
  }
  const shown = (figure: Figure | undefined) => (figure === undefined ? "missing" : String(figure));
  return [...fields.values()]
    .map(({ first, count }) => {
      const more = count === 1 ? "" : `, and ${count - 1} more of this field`;
      return `  ${first.path}: old ${shown(first.old)}, new ${shown(first.new)}${more}\n`;
    })
    .join("");
}

/** The path without the product, the wallet and the places in lists. */
function fieldOf(path: string): string {
  return path.replaceAll(/\[\d+\]/g, "[]").replace(/^(product|account\/\w+)\/[^/.]+/, "$1/*");
}

/** Whether a path ends with a field, such as `max_drawdown` or `queue.ready_shares`. */
export function isOfField(path: string, field: string): boolean {
  return path.replaceAll(/\[\d+\]/g, "").endsWith(`.${field}`);
}
