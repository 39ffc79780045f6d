import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Hex } from "viem";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { documentBytes } from "./documentStore.ts";

const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase() as Hex);

/** GET document/{hash}: the bytes whose keccak-256 the registry holds, or held. */
export function documentRoutes({ orm }: Pick<Database, "orm">): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/document/:hash",
      {
        schema: {
          summary: "A version of a product's document, byte for byte, by the keccak-256 of its bytes",
          tags: ["product"],
          params: z.object({ hash }),
          produces: ["application/json"],
        },
      },
      async (request, reply) => {
        const content = await documentBytes(orm, request.params.hash);
        if (content === null) throw new ApiError("not_found", "No document with this hash is stored here");
        reply.header("cache-control", "public, max-age=31536000, immutable");
        return reply.type("application/json; charset=utf-8").send(Buffer.from(content));
      },
    );
  };
}
