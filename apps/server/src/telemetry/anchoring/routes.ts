import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { envelope, listOf, shortId } from "@aqua/sdk/api/envelope";
import { anchoredBatch, anchorsQuery, deviceName, lossList, readingProof } from "@aqua/sdk/api/telemetry";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AnchorService } from "./service.ts";

const unzip = promisify(gunzip);
const tags = ["transparency"];
const number = z.coerce.number().int().min(1).max(2_147_483_647);
const seq = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** @param perMinute maximum number of proofs that one address may request */
export function anchorRoutes(service: AnchorService, perMinute: number): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/transparency/anchors",
      {
        config: { cached: { unless: [], forMs: 5_000 } },
        schema: {
          summary: "Batches of readings the chain holds, newest first",
          tags,
          querystring: anchorsQuery,
          response: { 200: envelope(listOf(anchoredBatch)) },
        },
      },
      async ({ query }) => ({ data: await service.anchors(query) }),
    );
    app.get(
      "/transparency/anchors/:shortId/:number",
      {
        schema: {
          summary: "File of an anchored batch; the keccak-256 of its bytes is the batch's data_hash",
          tags,
          params: z.object({ shortId, number }),
          produces: ["application/x-ndjson"],
        },
      },
      async ({ params, headers }, reply) => {
        const { gzip, dataHash } = await service.file(params.shortId, params.number);
        const zipped = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(headers["accept-encoding"] ?? "");
        reply.headers({
          "content-disposition": `attachment; filename="${params.shortId}-${params.number}.ndjson"`,
          "cache-control": "public, no-cache",
          vary: "accept-encoding",
          etag: `W/"${dataHash}"`,
        });
        if (headers["if-none-match"] === reply.getHeader("etag")) return reply.code(304).send();
        reply.type("application/x-ndjson");
        if (zipped) reply.header("content-encoding", "gzip");
        return reply.send(Buffer.from(zipped ? gzip : await unzip(gzip)));
      },
    );
    app.get(
      "/transparency/losses",
      {
        config: { cached: { unless: [], forMs: 5_000 } },
        schema: {
          summary: "Batches of the chain that this server lacks, and readings that were declared lost",
          tags,
          response: { 200: envelope(lossList) },
        },
      },
      async () => ({ data: await service.losses() }),
    );
    app.get(
      "/transparency/proof/:device/:seq",
      {
        config: { rateLimit: { max: perMinute, timeWindow: 60_000 } },
        schema: {
          summary: "All it takes to check a reading against the chain",
          tags,
          params: z.object({ device: deviceName, seq }),
          response: { 200: envelope(readingProof) },
        },
      },
      async ({ params }) => ({ data: await service.proof(params.device, params.seq) }),
    );
  };
}
