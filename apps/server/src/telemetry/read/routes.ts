import { Readable } from "node:stream";
import { envelope, lang, listOf, shortId } from "@aqua/sdk/api/envelope";
import {
  device,
  deviceName,
  fleet,
  readingSeries,
  readingsQuery,
  refusedQuery,
  refusedReading,
  storedReading,
  storedReadingsQuery,
} from "@aqua/sdk/api/telemetry";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { TelemetryReader } from "./service.ts";

const tags = ["telemetry"];
/** Readings arrive between blocks. Pages poll every 30 s and learn of new values by events. */
export const READINGS_MS = 5_000;

export function telemetryReadRoutes(reader: TelemetryReader): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/product/:shortId/devices",
      {
        config: { cached: { unless: [], forMs: READINGS_MS } },
        schema: {
          summary: "The devices of a product, how they do, and the key each signs with",
          tags,
          params: z.object({ shortId }),
          response: { 200: envelope(z.array(device)) },
        },
      },
      async ({ params }) => ({ data: await reader.devices(params.shortId) }),
    );
    app.get(
      "/product/:shortId/readings",
      {
        schema: {
          summary: "What the devices of a product measured; as JSON or as one CSV file",
          tags,
          params: z.object({ shortId }),
          querystring: readingsQuery,
          response: {
            200: {
              description: "The series of each device",
              content: { "application/json": { schema: envelope(readingSeries) }, "text/csv": { schema: z.string() } },
            },
          },
        },
      },
      async ({ params, query }, reply) => {
        const { format, ...filter } = query;
        if (format === "json") return { data: await reader.readings(params.shortId, filter) };
        const { name, text } = await reader.readingsFile(params.shortId, filter);
        reply.header("content-type", "text/csv; charset=utf-8");
        reply.header("content-disposition", `attachment; filename="${name}"`);
        // The stream counts bytes: as objects, sixteen pages would be read ahead of a receiver that does not read.
        return reply.send(Readable.from(text, { objectMode: false }) as never);
      },
    );
    app.get(
      "/transparency/devices",
      {
        config: { cached: { unless: [], forMs: READINGS_MS } },
        schema: {
          summary: "All devices and feeds in figures",
          tags,
          querystring: z.object({ lang }),
          response: { 200: envelope(fleet) },
        },
      },
      async ({ query }) => ({ data: await reader.fleet(query.lang) }),
    );
    app.get(
      "/transparency/devices/:name/readings",
      {
        config: { cached: { unless: ["before"], forMs: READINGS_MS } },
        schema: {
          summary: "The readings of a device as they are kept, newest first, and the batch each is in",
          tags,
          params: z.object({ name: deviceName }),
          querystring: storedReadingsQuery,
          response: { 200: envelope(z.array(storedReading)) },
        },
      },
      async ({ params, query }) => ({ data: await reader.deviceReadings(params.name, query) }),
    );
    app.get(
      "/transparency/refused",
      {
        config: { cached: { unless: ["device"], forMs: READINGS_MS } },
        schema: {
          summary: "Readings that were refused and why, newest first",
          tags,
          querystring: refusedQuery,
          response: { 200: envelope(listOf(refusedReading)) },
        },
      },
      async ({ query }) => ({ data: await reader.refused(query) }),
    );
  };
}
