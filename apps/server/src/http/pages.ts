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
import { type Answer, createAnswers, type Waiter } from "./answers.ts";
import { type ReadVersion, sendAnswer } from "./kept.ts";
import { languageOf } from "./language.ts";
import { OURSELVES, perNetwork } from "./limits.ts";
import { allowScriptsOf } from "./security.ts";

/** What the web app's build has to say of itself: one function, in `.server/server.js`. */
interface Renderer {
  renderPage(request: {
    path: string;
    /** Of the site, as its visitors know it. */
    origin: string;
    language: LanguageCode;
    /** index.html of the browser's build. */
    template: string;
    /** `.vite/chunks.json` of that build. */
    chunks: object;
    /** What has happened until then is in the page. */
    lastEventId: string;
    fetch: typeof fetch;
  }): Promise<string>;
}

export interface Pages {
  /**
   * The page at the request's path: with its content where all see the same, else for the browser to fill. A network that
   * asks for more than its pages of a minute gets the latter with status 429.
   */
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

interface PageAsked {
  path: string;
  language: LanguageCode;
  /** Who asks, see `networksOf`. */
  networks: readonly string[];
}

interface RenderedPage {
  answer: Answer;
  /** index.html of the build. */
  template: string;
}

/** Ids of the products that have pages. */
export type ProductIds = () => Promise<readonly string[]>;

/** Pages that everyone sees alike. Parameters of the address are the browser's. */
const PUBLIC = /^\/(?:home|products|transparency|about|(?:product|liquidity|performance)\/([a-z0-9-]{1,64}))?$/;
const varies = ["accept-language", "cookie"];
/**
 * Pages of four networks are rendered at once, so that one that waits for an answer delays no other. A page that gets no
 * place, or waits longer, is left to the browser, which renders it from the calls that it makes anyway.
 */
const places: QueueLimits = {
  running: { perNetwork: 1, perSite: 1, total: 4 },
  waiting: { perNetwork: 3, perSite: 6, total: 32 },
  waitMs: 2_000,
};
/** After a page this thread rests as long as it took, but no longer than this: calls of the API must go on meanwhile. */
const LONGEST_REST_MS = 200;
/** An answer that takes longer leaves its page to the browser; the others wait for it. */
const LONGEST_CALL_MS = 5_000;
/** A page that has begun is made to its end: others ask for it too. */
const ANYONE: Waiter = { isThere: () => true };

/**
 * Renders public pages on the server: each page and language once, until the chain or a document changes. What a page
 * shows are answers of our own API to a visitor without a session, so nothing of anyone is in it.
 */
export async function createPages({
  app,
  hub,
  publicUrl,
  webDir,
  readVersion,
  productIds,
  perMinute,
  longestCallMs = LONGEST_CALL_MS,
}: {
  app: FastifyInstance;
  hub: Pick<EventHub, "lastEventId">;
  publicUrl: string;
  webDir: string;
  readVersion: ReadVersion;
  productIds: ProductIds;
  /** Pages a minute of one network, whether they are known or not. */
  perMinute: number;
  longestCallMs?: number;
}): Promise<Pages> {
  await app.register(rateLimit, { global: false });
  const spend = app.createRateLimit(perNetwork(perMinute));
  const answers = createAnswers(readVersion);
  const queue = createFairQueue(places);
  /** Pages that wait for a place, by network and page: all who ask from one network share it. */
  const waiting = new Map<string, Promise<Answer>>();
  const { origin } = new URL(publicUrl);
  let rested: Promise<unknown> = Promise.resolve();
  let loaded: { renderer: Promise<Renderer>; template: string; chunks: object; built: number } | null = null;

  /** What was built when it was first asked for. Built anew meanwhile, the two would not fit each other: null then. */
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

  /** A call to ourselves, as a visitor would make it. */
  const call: typeof fetch = async (input, init) => {
    const limit = AbortSignal.timeout(longestCallMs);
    const response = await app.inject({
      method: "GET",
      url: String(input),
      headers: { host: "localhost", accept: "application/json" },
      remoteAddress: OURSELVES,
      signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit,
    });
    const type = String(response.headers["content-type"] ?? "");
    return new Response(response.body, { status: response.statusCode, headers: { "content-type": type } });
  };

  /** Rests after each page, so that calls of the API go on meanwhile. */
  async function afterRest(render: () => Promise<string>): Promise<string> {
    await rested;
    const begun = performance.now();
    try {
      return await render();
    } finally {
      rested = sleep(Math.min(performance.now() - begun, LONGEST_REST_MS), null, { ref: false });
    }
  }

  /** Makes the page once this network has a place for it. Rejects with `QueueFull` where it gets none. */
  function inPlace(networks: readonly string[], page: string, make: () => Promise<Answer>): Promise<Answer> {
    const name = `${networks[0]} ${page}`;
    const shared = waiting.get(name);
    if (shared) return shared;
    const begin = () => {
      // It is made from the tables as they are now: who comes later asks again.
      waiting.delete(name);
      return make();
    };
    const made = Promise.resolve()
      .then(() => queue(networks, begin))
      .finally(() => {
        if (waiting.get(name) === made) waiting.delete(name);
      });
    waiting.set(name, made);
    return made;
  }

  /** Their ids are read once until the tables change. */
  async function isProduct(id: string): Promise<boolean> {
    const { bytes } = await answers.answer("ids", ANYONE, async () => JSON.stringify(await productIds()));
    return (JSON.parse(bytes.toString()) as string[]).includes(id);
  }

  /** The page with its content, and what it was made of; null where the browser has to render it. */
  async function pageAt({ path, language, networks }: PageAsked): Promise<RenderedPage | null> {
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
        const asked = { path, language, networks: networksOf(request.ip) };
        const page = await pageAt(asked).catch((error: unknown) => {
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
      reply.header("cache-control", "no-cache").header("vary", varies.join(", "));
      return reply.send(template.replace(/<html lang="[^"]*">/, `<html lang="${language}">`));
    },
  };
}

/** An app may be built without what renders pages. */
function noFile(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
