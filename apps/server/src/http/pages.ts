import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { LanguageCode } from "@aqua/sdk/languages";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { EventHub } from "../events/hub.ts";
import { type Answer, createAnswers, type Waiter } from "./answers.ts";
import { type ReadVersion, sendAnswer } from "./kept.ts";
import { languageOf } from "./language.ts";
import { OURSELVES } from "./limits.ts";
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
  /** The page at the request's path: with its content where all see the same, else for the browser to fill. */
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

interface RenderedPage {
  answer: Answer;
  /** index.html of the build. */
  template: string;
}

/** Pages that everyone sees alike. Parameters of the address are the browser's. */
const PUBLIC = /^\/(?:home|products|transparency|about|(?:product|liquidity|performance)\/[a-z0-9-]{1,64})?$/;
const varies = ["accept-language", "cookie"];
/** More pages than this are not waited for: the browser then renders them from the calls that it makes anyway. */
const MOST_RENDERED = 8;
/** After a page this thread rests as long as it took, but no longer than this: calls of the API must go on meanwhile. */
const LONGEST_REST_MS = 200;
/** An answer that takes longer leaves its page to the browser; the others wait for it. */
const LONGEST_CALL_MS = 5_000;

/**
 * Renders public pages on the server: each page and language once, until the chain or a document changes. What a page
 * shows are answers of our own API to a visitor without a session, so nothing of anyone is in it.
 */
export function createPages({
  app,
  hub,
  publicUrl,
  webDir,
  readVersion,
  longestCallMs = LONGEST_CALL_MS,
}: {
  app: FastifyInstance;
  hub: Pick<EventHub, "lastEventId">;
  publicUrl: string;
  webDir: string;
  readVersion: ReadVersion;
  longestCallMs?: number;
}): Pages {
  const answers = createAnswers(readVersion);
  const { origin } = new URL(publicUrl);
  let rendered = 0;
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

  /** Renders one page after the other. Rejects with `PagesBusy` where too many wait. */
  async function inTurn(render: () => Promise<string>): Promise<string> {
    if (rendered >= MOST_RENDERED) throw new PagesBusy();
    rendered++;
    let begun = 0;
    const page = rested.then(() => {
      begun = performance.now();
      return render();
    });
    const rest = () => sleep(Math.min(performance.now() - begun, LONGEST_REST_MS), null, { ref: false });
    rested = page.then(rest, rest);
    return page.finally(() => rendered--);
  }

  /** The page with its content, and what it was made of; null where the browser has to render it. */
  async function pageAt(path: string, language: LanguageCode, waiter: Waiter): Promise<RenderedPage | null> {
    const renderer = await rendererNow();
    if (renderer === null) return null;
    const { renderPage, ...built } = renderer;
    const answer = await answers.answer(`${language} ${path}`, waiter, () =>
      inTurn(() => renderPage({ path, origin, language, ...built, lastEventId: hub.lastEventId(), fetch: call })),
    );
    return { answer, template: built.template };
  }

  return {
    async send(request, reply) {
      const [path = "/", search] = request.url.split("?", 2);
      const language = languageOf(request.headers);
      reply.type("text/html; charset=utf-8");
      if (search === undefined && PUBLIC.test(path)) {
        const waiter = { isThere: () => !reply.raw.destroyed };
        const page = await pageAt(path, language, waiter).catch((error: unknown) => {
          if (!isExpected(error)) request.log.warn({ err: error, path }, "a page was left to the browser to render");
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

class PagesBusy extends Error {}

/** Too much to do, or no such product, which the browser then says. */
function isExpected(error: unknown): boolean {
  if (error instanceof PagesBusy) return true;
  return typeof error === "object" && error !== null && "error_code" in error && error.error_code === "pool_not_found";
}

/** An app may be built without what renders pages. */
function noFile(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
