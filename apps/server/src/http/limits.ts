import { randomUUID } from "node:crypto";
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, ServerBusy } from "../errors.ts";
import type { Budgets } from "../limits/budgets.ts";
import { networkOf } from "../limits/network.ts";
import { createPlaces, type Release } from "../limits/places.ts";

/**
 * The address of calls that the server makes to itself while it renders a page. It is random, so nobody can claim it
 * in a forwarding header.
 */
export const OURSELVES = `ourselves-${randomUUID()}`;

/** Requests a minute of one network (an IPv4 address, a /64 of IPv6), as `@fastify/rate-limit` takes them. */
export function perNetwork(perMinute: number) {
  return { max: perMinute, timeWindow: 60_000, keyGenerator: ({ ip }: { ip: string }) => networkOf(ip) };
}

/** What the processes share. Without it each counts by itself. */
export type SharedBudgets = Pick<Budgets, "of"> | undefined;

/**
 * Options of `@fastify/rate-limit` for calls that all processes count together, by a name of their own. A route with a
 * limit of its own is counted apart.
 */
export function countedAs(name: string, budgets: SharedBudgets): { store?: FastifyRateLimitStoreCtor } {
  return budgets === undefined ? {} : { store: storeOf(name, budgets) };
}

function storeOf(name: string, budgets: Pick<Budgets, "of">): FastifyRateLimitStoreCtor {
  const spend = budgets.of(name);
  return class implements FastifyRateLimitStore {
    incr(...[key, callback, windowMs, max]: Parameters<FastifyRateLimitStore["incr"]>): void {
      const spent = spend(key, { max, windowMs });
      if (spent instanceof Promise) spent.then((result) => callback(null, result), callback);
      else callback(null, spent);
    }
    /** Counter of a route with a limit of its own, or of another limit within this scope. */
    child(options: object): FastifyRateLimitStore {
      const { routeInfo } = options as { routeInfo?: { method?: unknown; url?: string } };
      const counted = routeInfo?.url === undefined ? name : `${name} ${routeInfo.method} ${routeInfo.url}`;
      return new (storeOf(counted, budgets))({});
    }
  };
}

/** Bounds the calls a minute from one network on all routes of this scope. */
export async function registerRateLimit(
  app: FastifyInstance,
  perMinute: number,
  budgets?: SharedBudgets,
): Promise<void> {
  await app.register(rateLimit, {
    ...perNetwork(perMinute),
    ...countedAs("api", budgets),
    allowList: ({ ip }) => ip === OURSELVES,
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl, "api"),
  });
}

/** The refusal for a caller whose calls are used up for another `ttl` milliseconds. */
export function tooMany(ttl: number, limit: string): ApiError {
  const seconds = Math.max(1, Math.ceil(ttl / 1000));
  return new ApiError("too_many_requests", `Too many requests; try again in ${seconds} s`, {
    retryAfter: seconds,
    limit,
  });
}

/** Maximum number of concurrent requests for one route, so that a busy route does not starve the others. */
const IN_FLIGHT = 100;

/**
 * Rejects requests beyond the capacity of a route with 503 and Retry-After. A request counts once its body has been
 * read, so a body that never arrives takes no place; a route that reads its body itself does so in `preValidation`. A
 * request counts until its handler has ended: work goes on after a caller has hung up, and is over while a caller reads
 * slowly. Routes with cached responses are not counted: most of their requests cost nothing, and `reads.ts` bounds the
 * reads of the others.
 */
export function registerOverload(app: FastifyInstance, limit: number = IN_FLIGHT): void {
  const places = createPlaces({ perNetwork: limit });
  const underWay = new WeakMap<FastifyRequest, Release>();
  app.addHook("preHandler", (request, _reply, done) => {
    if (request.routeOptions.config.cached) return done();
    const release = places.take([`${request.method} ${request.routeOptions.url ?? ""}`]);
    if (release === null) return done(new ServerBusy());
    underWay.set(request, release);
    done();
  });
  // Runs for every response of a handler, including rejections, even if the caller has already hung up.
  app.addHook("onSend", (request, _reply, _payload, done) => {
    underWay.get(request)?.();
    done();
  });
}
