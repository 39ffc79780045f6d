import { address } from "@aqua/sdk/api/envelope";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { Gauge, type Registry } from "prom-client";
import { z } from "zod";
import type { ActiveSession } from "../account/sessions.ts";
import { ApiError } from "../errors.ts";
import type { EventHub, PublishedEvent } from "../events/hub.ts";
import { networksOf } from "../limits/network.ts";
import { createPlaces, type PlaceLimits } from "../limits/places.ts";
import { STALLED_MS } from "./receivers.ts";

export interface EventLimits {
  /** Open streams. */
  streams: PlaceLimits;
  /** Maximum number of unread bytes before a slow reader is disconnected. It reconnects with Last-Event-ID. */
  backlog: number;
  /** Milliseconds in which a reader must accept a waiting byte. Each heartbeat checks it. */
  stalledMs: number;
  heartbeatMs: number;
}
const defaultLimits: EventLimits = {
  streams: { perNetwork: 30, perSite: 120, total: 2_000 },
  backlog: 256 * 1024,
  stalledMs: STALLED_MS,
  heartbeatMs: 15_000,
};

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
 * GET events: sends chain events as server-sent events. Events of an account are sent only to streams opened with a
 * session of the account, not to callers that only name its wallet. The session is checked again at each such event.
 */
export function registerEvents({
  app,
  hub,
  findSession,
  limits = defaultLimits,
  registry,
}: {
  app: FastifyInstance;
  hub: EventHub;
  findSession: FindSession;
  limits?: EventLimits | undefined;
  registry?: Registry;
}): void {
  const open = new Set<FastifyReply["raw"]>();
  const places = createPlaces(limits.streams);
  let closing = false;
  if (registry !== undefined) {
    new Gauge({
      name: "aqua_event_streams",
      help: "Open event streams of visitors",
      registers: [registry],
      collect() {
        this.set(open.size);
      },
    });
  }

  app.addHook("preClose", async () => {
    closing = true;
    for (const stream of open) stream.end();
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
      if (request.method === "HEAD") return reply.headers(streamHeaders).send();
      const leave = closing ? null : places.take(networksOf(request.ip));
      if (leave === null) {
        reply.header("retry-after", "5");
        throw new ApiError("too_many_requests", "Too many open event streams", { limit: "streams" });
      }
      stream.once("close", leave);
      if (stream.destroyed) {
        leave();
        return reply.hijack();
      }
      reply.headers(streamHeaders).hijack();
      stream.writeHead(200, reply.getHeaders() as Record<string, string>);
      open.add(stream);
      let accepted = Date.now();
      const write = (text: string) => {
        if (stream.writableEnded || stream.destroyed) return;
        if (stream.writableLength === 0) accepted = Date.now();
        stream.write(text, () => {
          accepted = Date.now();
        });
        if (stream.writableLength > limits.backlog) stream.destroy();
      };
      // Node's own time-out restarts with each write, so a stream that is written to never reaches it.
      const isStalled = () => stream.writableLength > 0 && Date.now() - accepted >= limits.stalledMs;
      const send = (event: PublishedEvent) => write(format(event));
      /** The session may have ended since the stream was opened. */
      const sendIfAlive = (event: PublishedEvent) =>
        findSession(authorization).then(
          () => send(event),
          () => void stream.end(),
        );
      let sending = Promise.resolve();
      const lastEventId = request.headers["last-event-id"];
      // The browser stores an id without data and shows no event. It can resume from this id.
      write(`retry: 2000\n${lastEventId === undefined ? `id: ${hub.lastEventId()}\n` : ""}\n`);
      const unsubscribe = hub.subscribe(
        {
          ...(request.query.address === undefined ? {} : { address: request.query.address }),
          ...(session === null ? {} : { accountId: session.accountId }),
          ...(lastEventId === undefined ? {} : { lastEventId }),
        },
        (event) => {
          // Events are sent in the order of their ids, because a client that reconnects names the last one it
          // received.
          sending = sending.then(() => (event.name === "identity" ? sendIfAlive(event) : send(event)));
        },
      );
      const heartbeat = setInterval(() => {
        if (isStalled()) stream.destroy();
        else write(": here\n\n");
      }, limits.heartbeatMs);
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
