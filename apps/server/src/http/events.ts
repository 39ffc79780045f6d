import { address } from "@aqua/sdk/api/envelope";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { ActiveSession } from "../account/sessions.ts";
import { ApiError } from "../errors.ts";
import type { EventHub, PublishedEvent } from "../events/hub.ts";
import { networkOf } from "../limits/network.ts";

export interface EventLimits {
  /** Open streams of one network (an IPv4 address, a /64 of IPv6), and of all. */
  perNetwork: number;
  total: number;
  /** Bytes a slow reader may leave unread before it is cut off; it comes back with Last-Event-ID. */
  backlog: number;
  heartbeatMs: number;
}
const defaultLimits: EventLimits = { perNetwork: 30, total: 2_000, backlog: 256 * 1024, heartbeatMs: 15_000 };

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Reverse proxies must pass each event on at once.
  "x-accel-buffering": "no",
};
const query = z.object({ address: address.optional() });
// Browsers send the id they saw as a header; any other value counts as unknown and is answered with `reset`.
const headers = z.object({ "last-event-id": z.string().max(200).optional() });

/** The session of a header `Authorization`, null without one. @throws ApiError token_error */
export type FindSession = (authorization: string | undefined) => Promise<ActiveSession | null>;

/**
 * GET events: what happens on the chains, as server-sent events. What happens to an account goes to streams opened with a
 * session of it, and to no one who only names its wallet; the session is looked up again at each such event.
 */
export function registerEvents({
  app,
  hub,
  findSession,
  limits = defaultLimits,
}: {
  app: FastifyInstance;
  hub: EventHub;
  findSession: FindSession;
  limits?: EventLimits | undefined;
}): void {
  const open = new Map<FastifyReply["raw"], string>();
  let closing = false;

  app.addHook("preClose", async () => {
    closing = true;
    for (const stream of open.keys()) stream.end();
  });

  app.withTypeProvider<ZodTypeProvider>().get(
    "/events",
    {
      schema: {
        summary:
          "Server-sent events: block, product, anchor, readings, reset; of `address` only: transaction; of the session's account only: identity",
        tags: ["events"],
        querystring: query,
        headers,
        produces: ["text/event-stream"],
      },
    },
    async (request, reply) => {
      const { authorization } = request.headers;
      const session = await findSession(authorization);
      const stream = reply.raw;
      const network = networkOf(request.ip);
      let ofNetwork = 0;
      for (const one of open.values()) if (one === network) ofNetwork += 1;
      if (closing || open.size >= limits.total || ofNetwork >= limits.perNetwork) {
        reply.header("retry-after", "5");
        throw new ApiError("too_many_requests", "Too many open event streams");
      }
      reply.headers(streamHeaders);
      if (request.method === "HEAD") return reply.send();
      if (stream.destroyed) return reply.hijack();
      reply.hijack();
      stream.writeHead(200, reply.getHeaders() as Record<string, string>);
      open.set(stream, network);
      const write = (text: string) => {
        if (stream.writableEnded || stream.destroyed) return;
        stream.write(text);
        if (stream.writableLength > limits.backlog) stream.destroy();
      };
      const send = (event: PublishedEvent) => write(format(event));
      /** The session may have ended since the stream was opened. */
      const sendIfAlive = (event: PublishedEvent) =>
        findSession(authorization).then(
          () => send(event),
          () => void stream.end(),
        );
      let sending = Promise.resolve();
      const lastEventId = request.headers["last-event-id"];
      // An id without data is remembered by the browser and shown to no one: from here on it can catch up.
      write(`retry: 2000\n${lastEventId === undefined ? `id: ${hub.lastEventId()}\n` : ""}\n`);
      const unsubscribe = hub.subscribe(
        {
          ...(request.query.address === undefined ? {} : { address: request.query.address }),
          ...(session === null ? {} : { accountId: session.accountId }),
          ...(lastEventId === undefined ? {} : { lastEventId }),
        },
        (event) => {
          // In the order of their ids: a client that comes back names the last it got.
          sending = sending.then(() => (event.name === "identity" ? sendIfAlive(event) : send(event)));
        },
      );
      const heartbeat = setInterval(() => write(": here\n\n"), limits.heartbeatMs);
      stream.once("close", () => {
        clearInterval(heartbeat);
        unsubscribe();
        open.delete(stream);
      });
    },
  );
}

function format({ id, name, data }: PublishedEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
