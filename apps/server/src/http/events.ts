import { address } from "@aqua/sdk/api/envelope";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../errors.ts";
import type { EventHub, PublishedEvent } from "../events/hub.ts";

export interface EventLimits {
  /** Open streams of one address, and of all. */
  perAddress: number;
  total: number;
  /** Bytes a slow reader may leave unread before it is cut off; it comes back with Last-Event-ID. */
  backlog: number;
  heartbeatMs: number;
}
const defaultLimits: EventLimits = { perAddress: 30, total: 2_000, backlog: 256 * 1024, heartbeatMs: 15_000 };

const query = z.object({ address: address.optional() });
// Browsers send the id they saw as a header; whatever else stands there counts as unknown and is answered with `reset`.
const headers = z.object({ "last-event-id": z.string().max(200).optional() });

/** GET events: what happens on the chains, as server-sent events. */
export function registerEvents(app: FastifyInstance, hub: EventHub, limits: EventLimits = defaultLimits): void {
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
          "Server-sent events: block, product, anchor, readings, reset; of `address` only: transaction, identity",
        tags: ["events"],
        querystring: query,
        headers,
        produces: ["text/event-stream"],
      },
    },
    (request, reply) => {
      const stream = reply.raw;
      let ofAddress = 0;
      for (const ip of open.values()) if (ip === request.ip) ofAddress += 1;
      if (closing || open.size >= limits.total || ofAddress >= limits.perAddress) {
        reply.header("retry-after", "5");
        throw new ApiError("too_many_requests", "Too many open event streams");
      }
      reply.hijack();
      stream.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        // Reverse proxies must pass each event on at once.
        "x-accel-buffering": "no",
      });
      open.set(stream, request.ip);
      const write = (text: string) => {
        if (stream.writableEnded || stream.destroyed) return;
        stream.write(text);
        if (stream.writableLength > limits.backlog) stream.destroy();
      };
      const lastEventId = request.headers["last-event-id"];
      // An id without data is remembered by the browser and shown to no one: from here on it can catch up.
      write(`retry: 2000\n${lastEventId === undefined ? `id: ${hub.lastEventId()}\n` : ""}\n`);
      const unsubscribe = hub.subscribe(
        {
          ...(request.query.address === undefined ? {} : { address: request.query.address }),
          ...(lastEventId === undefined ? {} : { lastEventId }),
        },
        (event) => write(format(event)),
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
