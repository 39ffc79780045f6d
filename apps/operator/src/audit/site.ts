import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../api.ts";

const ANSWER_WITHIN_MS = 60_000;
/** A busy server is asked again. */
const TRIES = 20;
const PAUSE_MS = 500;
const MOST_PAUSE_MS = 60_000;
/** Items of a page. */
const PAGE_SIZE = 100;

export interface Answer {
  status: number;
  data: unknown;
}

/** A site's public API. */
export interface Site {
  /** `path` is under /api/v2/. @throws CommandError if the site cannot be reached */
  ask(path: string): Promise<Answer>;
  /** The bytes of an answer that is not JSON. @throws CommandError if the site cannot be reached */
  file(path: string): Promise<{ status: number; content: Uint8Array }>;
  /** All pages of a list as one answer. */
  askPages(path: string): Promise<Answer>;
}

export function createSite(url: string): Site {
  const base = url.replace(/\/+$/, "");

  async function ask(path: string): Promise<Answer> {
    const response = await patientGet(path);
    return { status: response.status, data: await dataOf(response) };
  }

  async function patientGet(path: string): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await get(`${base}/api/v2/${path}`);
      const isBusy = response.status === 429 || response.status === 503;
      if (!isBusy || attempt === TRIES) return response;
      await response.body?.cancel();
      const seconds = Number(response.headers.get("retry-after") ?? 0);
      await sleep(Math.min(Math.max(PAUSE_MS, seconds * 1_000), MOST_PAUSE_MS));
    }
  }

  return {
    ask,
    async file(path) {
      const response = await patientGet(path);
      return { status: response.status, content: await bytesOf(response) };
    },
    async askPages(path) {
      const items: unknown[] = [];
      for (let page = 1; ; page += 1) {
        const sign = path.includes("?") ? "&" : "?";
        const answer = await ask(`${path}${sign}page=${page}&page_size=${PAGE_SIZE}`);
        const list = answer.data as { items?: unknown[]; total?: number } | null;
        if (answer.status !== 200 || !Array.isArray(list?.items)) return answer;
        items.push(...list.items);
        const isLast = list.items.length === 0 || page * PAGE_SIZE >= (list.total ?? 0);
        if (isLast) return { status: 200, data: { ...list, items } };
      }
    },
  };
}

async function get(url: string): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  } catch {
    throw new CommandError(`${new URL(url).origin} does not answer`);
  }
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch {
    throw new CommandError(`${new URL(response.url).origin} broke off its answer`);
  }
}

/** `data` of an answer. Undefined if the answer is none of an Aqua server. */
async function dataOf(response: Response): Promise<unknown> {
  try {
    return ((await response.json()) as { data?: unknown }).data;
  } catch {
    return undefined;
  }
}
