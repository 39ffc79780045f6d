import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Orm } from "../db/database.ts";
import { type Answer, createAnswers, type Encoding } from "./answers.ts";
import { readerOf, readFor, routeOf } from "./reads.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Caches the responses of this GET until the next block. A route may set it only if its responses depend on
     * nothing but the path, the query and `readVersion`, and not on the clock or the caller. Responses that depend on
     * the clock, or on tables that change between blocks, are cached for at most `forMs` milliseconds. A response is
     * not cached if the query has one of the parameters in `unless`, because no other caller will request it.
     */
    cached?: { unless: readonly string[]; forMs?: number };
  }
}

/** Returns the version of the tables in a snapshot, or the current one without a snapshot. */
export type ReadVersion = (tx?: Orm) => Promise<string>;

/** Smaller responses are not compressed. */
const COMPRESSED_FROM = 1_024;

/**
 * Caches the responses of routes with `config.cached`. Their other responses, and rejections, are sent as on any other
 * route.
 */
export function registerCachedResponses(app: FastifyInstance, readVersion: ReadVersion): void {
  const answers = createAnswers(readVersion);
  app.addHook("onRoute", (route) => {
    const cached = route.config?.cached;
    if (!cached) return;
    const { handler } = route;
    const key = keyOf(route, cached.forMs);
    route.handler = async function (request, reply) {
      const isCached = cached.unless.every((name) => (request.query as Record<string, unknown>)[name] === undefined);
      if (!isCached) return readFor(readerOf(request, reply), () => handler.call(this, request, reply));
      const waiter = { isThere: () => !reply.raw.destroyed };
      const answer = await answers.answer(key(request), waiter, ({ isAwaited, isFrom }) => {
        const reader = { route: routeOf(request), isAwaited, begin: async (tx: Orm) => isFrom(await readVersion(tx)) };
        return readFor(reader, async () => reply.serialize(await handler.call(this, request, reply)) as string);
      });
      return sendAnswer({ answer }, request, reply.type("application/json; charset=utf-8"));
    };
  });
}

/** Returns the function that computes a response's key: parsed path and query, and the current span of `forMs`. */
function keyOf({ url, schema }: RouteOptions, forMs: number | undefined): (request: FastifyRequest) => string {
  const span = () => (forMs === undefined ? null : Math.floor(Date.now() / forMs));
  return ({ params, query }) => JSON.stringify([url, params, schema?.querystring ? query : null, span()]);
}

/**
 * Sends a response, compressed if the caller accepts that, or 304 if the caller already has it. `varies` lists the
 * request headers it depends on.
 */
export async function sendAnswer(
  { answer, varies = [] }: { answer: Answer; varies?: readonly string[] },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { bytes, etag } = answer;
  reply
    .header("cache-control", "no-cache")
    .header("etag", etag)
    .header("vary", ["accept-encoding", ...varies].join(", "));
  if (namesTag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  const encoding = bytes.length < COMPRESSED_FROM ? null : encodingFor(request.headers["accept-encoding"]);
  if (encoding === null) return reply.send(bytes);
  return reply.header("content-encoding", encoding).send(await answer.compressed(encoding));
}

/** Returns whether If-None-Match contains this weak tag. */
function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.slice("W/".length);
  return header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === opaque);
}

const encodings: readonly Encoding[] = ["br", "gzip"];

/** Returns the best supported encoding that Accept-Encoding allows, or null if it allows none. */
export function encodingFor(header = ""): Encoding | null {
  const allowed = new Set<string>();
  for (const one of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) allowed.add(name);
  }
  return encodings.find((encoding) => allowed.has(encoding)) ?? null;
}
