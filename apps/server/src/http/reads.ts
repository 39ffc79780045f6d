import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Database, Orm } from "../db/database.ts";
import { ApiError, ServerBusy } from "../errors.ts";
import { createFairQueue, QueueFull, type QueueLimits } from "../limits/queue.ts";

/** The request that a read serves. */
export interface Reader {
  /** Pattern of the route. */
  route: string;
  /** Whether anyone still waits for the answer. */
  isAwaited(): boolean;
  /** Called in each snapshot before it is read. */
  begin?(tx: Orm): Promise<void>;
}

const readers = new AsyncLocalStorage<Reader>();

/** Runs `work` so that its reads are made for `reader`. */
export function readFor<T>(reader: Reader, work: () => T): T {
  return readers.run(reader, work);
}

/** Binds the reads of a request to it. Routes with cached responses do this themselves where they read. */
export function registerReads(app: FastifyInstance): void {
  app.addHook("preHandler", (request, reply, done) => {
    if (request.routeOptions.config.cached) done();
    else readFor(readerOf(request, reply), done);
  });
}

/** A request that reads for itself. */
export function readerOf(request: FastifyRequest, reply: FastifyReply): Reader {
  return { route: routeOf(request), isAwaited: () => !reply.raw.destroyed };
}

/** A GET and its HEAD are one route. */
export function routeOf({ routeOptions }: { routeOptions: { url?: string | undefined } }): string {
  return routeOptions.url ?? "";
}

/**
 * Fewer than the connections to the database, so that cheap queries never wait for one. The limit for one route
 * suffices to use the database and this thread fully.
 */
const defaultLimits: QueueLimits = {
  running: { total: 7, perNetwork: 3 },
  waiting: { total: 400, perNetwork: 100 },
  waitMs: 5_000,
};

/**
 * Wraps the database for features that answer requests from snapshots. A few snapshots of a route are read at once,
 * some more wait, and the others are rejected with 503. A snapshot without a waiting caller ends before its next query.
 * Snapshots outside requests, and all other transactions, are not bounded. `prepare` is called in each snapshot of a
 * request before it is read.
 */
export function boundReads(
  db: Database,
  prepare: (tx: Orm) => Promise<void>,
  limits: QueueLimits = defaultLimits,
): Database {
  const queue = createFairQueue(limits);
  return {
    ...db,
    async transaction(work, isolation) {
      const reader = readers.getStore();
      if (reader === undefined || isolation !== "repeatable read") return db.transaction(work, isolation);
      try {
        return await queue([reader.route], () => {
          demandReader(reader);
          return db.transaction(async (tx) => {
            await prepare(tx);
            await reader.begin?.(tx);
            return work(watched(tx, reader));
          }, isolation);
        });
      } catch (error) {
        throw error instanceof QueueFull ? new ServerBusy() : error;
      }
    },
  };
}

/** Every query begins with a property access of the transaction. */
function watched(tx: Orm, reader: Reader): Orm {
  return new Proxy(tx, {
    get(target, name) {
      demandReader(reader);
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function demandReader(reader: Reader): void {
  if (!reader.isAwaited()) throw new ApiError("validation_error", "The caller did not wait for the answer");
}
