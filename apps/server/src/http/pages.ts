import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { LanguageCode } from "@aqua/sdk/languages";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EventHub } from "../events/hub.ts";
import { networksOf } from "../limits/network.ts";
import { createFairQueue, QueueFull, type QueueLimits } from "../limits/queue.ts";
import { currentRequestId } from "../requestId.ts";
import { type Answer, createAnswers, type Waiter } from "./answers.ts";
import { type ReadVersion, sendAnswer } from "./cachedResponses.ts";
import { languageOf } from "./language.ts";
import { countedAs, OURSELVES, perNetwork, type SharedBudgets } from "./limits.ts";
import { allowScriptsOf, forDesk } from "./security.ts";

/** The interface of the web app's build for the server, in `.server/server.js`. */
interface Renderer {
  renderPage(request: {
    path: string;
    /** The public origin of the site. */
    origin: string;
    language: LanguageCode;
    /** index.html of the browser's build. */
    template: string;
    /** `.vite/chunks.json` of that build. */
    chunks: object;
    /** Id of the last event whose effects the page contains. */
    lastEventId: string;
    fetch: typeof fetch;
  }): Promise<string>;
}

export interface Pages {
  /**
   * Sends the page at the request's path: rendered when all visitors see the same, else empty for the browser to
   * render. A network that exceeds its pages a minute gets the empty page with status 429.
   */
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

interface PageRequest {
  path: string;
  language: LanguageCode;
  /** The networks of the caller, see `networksOf`. */
  networks: readonly string[];
}

interface RenderedPage {
  answer: Answer;
  /** index.html of the build. */
  template: string;
}

/** Ids of the products that have pages. */
export type ProductIds = () => Promise<readonly string[]>;

/** Paths of pages that all visitors see alike. Pages with query parameters are left to the browser. */
const PUBLIC = /^\/(?:home|products|transparency|about|(?:product|liquidity|performance)\/([a-z0-9-]{1,64}))?$/;
/** The desk of operators, by every spelling that the browser's router takes for it. */
const DESK = /^\/operator\/?$/i;
const varies = ["accept-language", "cookie"];
/**
 * Four pages are rendered at once, each for another network, so that a page that waits for an answer delays no other. A
 * page that gets no place, or waits longer than `waitMs`, is left to the browser, which renders it from the calls that
 * it makes anyway.
 */
const places: QueueLimits = {
  running: { perNetwork: 1, perSite: 1, total: 4 },
  waiting: { perNetwork: 3, perSite: 6, total: 32 },
  waitMs: 2_000,
};
/**
 * After rendering a page the thread pauses for as long as the page took, at most this long, so that calls of the API go
 * on meanwhile.
 */
const LONGEST_REST_MS = 200;
/** A call that takes longer leaves its page to the browser; other pages wait for the call. */
const LONGEST_CALL_MS = 5_000;
/** A page whose rendering has begun is completed, because other visitors ask for it too. */
const ANYONE: Waiter = { isThere: () => true };

/**
 * Renders public pages on the server: each page and language once, until the chain or a document changes. The content
 * comes from our own API, called as a visitor without a session, so a page holds no personal data.
 */
export async function createPages({
  app,
  hub,
  publicUrl,
  webDir,
  readVersion,
  productIds,
  perMinute,
  budgets,
  longestCallMs = LONGEST_CALL_MS,
}: {
  app: FastifyInstance;
  hub: Pick<EventHub, "lastEventId">;
  publicUrl: string;
  webDir: string;
  readVersion: ReadVersion;
  productIds: ProductIds;
  /** Pages a minute for one network, cached or not. */
  perMinute: number;
  budgets?: SharedBudgets;
  longestCallMs?: number;
}): Promise<Pages> {
  await app.register(rateLimit, { global: false, ...countedAs("page", budgets) });
  const spend = app.createRateLimit(perNetwork(perMinute));
  const answers = createAnswers(readVersion);
  const queue = createFairQueue(places);
  /** Pages waiting for a place, by network and page. All requests of one network share an entry. */
  const waitingPages = new Map<string, Promise<Answer>>();
  const { origin } = new URL(publicUrl);
  let rested: Promise<unknown> = Promise.resolve();
  let loaded: { renderer: Promise<Renderer>; template: string; chunks: object; built: number } | null = null;

  /**
   * Loads renderer, template and chunks at the first request. Returns null when the app has no renderer, and when it
   * was built again since: the loaded renderer would not match the new files.
   */
  async function rendererNow() {
    const file = join(webDir, ".server", "server.js");
    const built = (await stat(file).catch(noFile))?.mtimeMs;
    if (built === undefined) return null;
    if (loaded === null) {
      const template = await readFile(join(webDir, "index.html"), "utf8");
      const chunks = JSON.parse(await readFile(join(webDir, ".vite", "chunks.json"), "utf8"));
      loaded ??= { renderer: import(pathToFileURL(file).href), template, chunks, built };
    }
    if (built !== loaded.built) return null;
    const { renderer, template, chunks } = loaded;
    return { template, chunks, renderPage: (await renderer).renderPage };
  }

  /**
   * Calls our own API as a visitor would. The time limit ends with the call: `AbortSignal.any` and `AbortSignal.timeout`
   * would retain each answer, in Node 22 for as long as the process runs.
   */
  const call: typeof fetch = async (input, init) => {
    const ended = new AbortController();
    const abort = () => ended.abort();
    const timer = setTimeout(abort, longestCallMs).unref();
    if (init?.signal?.aborted) abort();
    init?.signal?.addEventListener("abort", abort);
    const id = currentRequestId();
    try {
      const response = await app.inject({
        method: "GET",
        url: String(input),
        headers: { host: "localhost", accept: "application/json", ...(id === undefined ? {} : { "x-request-id": id }) },
        remoteAddress: OURSELVES,
        signal: ended.signal,
      });
      const type = String(response.headers["content-type"] ?? "");
      return new Response(response.body, { status: response.statusCode, headers: { "content-type": type } });
    } finally {
      clearTimeout(timer);
      init?.signal?.removeEventListener("abort", abort);
    }
  };

  /** Pauses after each page, so that calls of the API go on meanwhile. */
  async function afterRest(render: () => Promise<string>): Promise<string> {
    await rested;
    const begun = performance.now();
    try {
      return await render();
    } finally {
      rested = sleep(Math.min(performance.now() - begun, LONGEST_REST_MS), null, { ref: false });
    }
  }

  /**
   * Renders the page once this network has a place for it. Without a place, it gets a page that is being rendered for
   * another network. Rejects with `QueueFull` when there is neither.
   */
  function inPlace(networks: readonly string[], page: string, make: () => Promise<Answer>): Promise<Answer> {
    const name = `${networks[0]} ${page}`;
    const shared = waitingPages.get(name);
    if (shared) return shared;
    const begin = () => {
      // The page is rendered from the tables as they are now, so a later request must queue again.
      waitingPages.delete(name);
      return make();
    };
    const rendering = Promise.resolve()
      .then(() => queue(networks, begin))
      .catch(async (error: unknown) => {
        const found = error instanceof QueueFull ? await answers.find(page) : null;
        if (found === null) throw error;
        return found;
      })
      .finally(() => {
        if (waitingPages.get(name) === rendering) waitingPages.delete(name);
      });
    waitingPages.set(name, rendering);
    return rendering;
  }

  /** The ids are read once until the tables change. */
  async function isProduct(id: string): Promise<boolean> {
    const { bytes } = await answers.answer("ids", ANYONE, async () => JSON.stringify(await productIds()));
    return (JSON.parse(bytes.toString()) as string[]).includes(id);
  }

  /** Returns the rendered page with the template it was made from; null when the browser has to render it. */
  async function pageAt({ path, language, networks }: PageRequest): Promise<RenderedPage | null> {
    const [isPublic, id] = PUBLIC.exec(path) ?? [];
    const renderer = isPublic === undefined ? null : await rendererNow();
    if (renderer === null) return null;
    const { renderPage, ...built } = renderer;
    const { template } = built;
    const page = `${language} ${path}`;
    const found = await answers.find(page);
    if (found !== null) return { answer: found, template };
    if (id !== undefined && !(await isProduct(id))) return null;
    const render = () => renderPage({ path, origin, language, ...built, lastEventId: hub.lastEventId(), fetch: call });
    const answer = await inPlace(networks, page, () => answers.answer(page, ANYONE, () => afterRest(render)));
    return { answer, template };
  }

  return {
    async send(request, reply) {
      const [path = "/", search] = request.url.split("?", 2);
      const language = languageOf(request.headers);
      reply.type("text/html; charset=utf-8");
      const limit = await spend(request);
      if (!limit.isAllowed && limit.isExceeded) {
        reply.code(429).header("retry-after", String(limit.ttlInSeconds));
      } else if (search === undefined) {
        const pageRequest = { path, language, networks: networksOf(request.ip) };
        const page = await pageAt(pageRequest).catch((error: unknown) => {
          if (!(error instanceof QueueFull)) {
            request.log.warn({ err: error, path }, "a page was left to the browser to render");
          }
          return null;
        });
        if (page !== null) {
          allowScriptsOf(page.template, reply);
          return sendAnswer({ answer: page.answer, varies }, request, reply);
        }
      }
      const template = await readFile(join(webDir, "index.html"), "utf8");
      allowScriptsOf(template, reply);
      if (DESK.test(path)) forDesk(reply);
      reply.header("cache-control", "no-cache").header("vary", varies.join(", "));
      return reply.send(template.replace(/<html lang="[^"]*">/, `<html lang="${language}">`));
    },
  };
}

/** Returns null when the build has no renderer. */
function noFile(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
