import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Hex } from "viem";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { documentBytes } from "./documentStore.ts";
import type { EvidenceFiles } from "./evidenceFiles.ts";

const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase() as Hex);

/**
 * GET document/{hash}: serves a product's document that the registry holds or held, or a document that evidence
 * names.
 */
export function documentRoutes({ orm }: Pick<Database, "orm">, evidence: EvidenceFiles): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/document/:hash",
      {
        schema: {
          summary:
            "A product's document, or one that its evidence names, byte for byte, by the keccak-256 of its bytes",
          tags: ["product"],
          params: z.object({ hash }),
          produces: ["application/json", "text/plain", "application/pdf"],
        },
      },
      async (request, reply) => {
        const stored = await documentBytes(orm, request.params.hash);
        const file = stored
          ? { content: stored, type: "application/json; charset=utf-8" }
          : await evidence.read(request.params.hash);
        if (file === null) throw new ApiError("not_found", "No document with this hash is stored here");
        reply.headers({
          "cache-control": "public, max-age=31536000, immutable",
          // A browser that opens the file directly may display it but run nothing.
          "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        });
        return reply.type(file.type).send(Buffer.from(file.content));
      },
    );
  };
}
