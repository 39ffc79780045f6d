import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { shortId } from "@aqua/sdk/api/envelope";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import { ApiError } from "../errors.ts";

export interface ImageParts {
  productsDir: string;
  /**
   * Returns the file name of a product's picture, from the document that its registry entry commits to. Returns null
   * if there is none.
   */
  imageOf(shortId: string): Promise<string | null>;
}

/** GET product/{shortId}/image: serves the picture from the folder of the product's document. */
export function imageRoutes({ productsDir, imageOf }: ImageParts): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/product/:shortId/image",
      {
        schema: {
          summary: "Picture of a product, as SVG",
          tags: ["product"],
          params: z.object({ shortId }),
          produces: ["image/svg+xml"],
        },
      },
      async (request, reply) => {
        const name = await imageOf(request.params.shortId);
        if (name === null) throw new ApiError("not_found", "This product has no picture");
        const svg = await readFile(join(productsDir, name)).catch(() => {
          throw new ApiError("not_found", "This product has no picture");
        });
        const etag = `"${createHash("sha256").update(svg).digest("base64url")}"`;
        reply.headers({
          etag,
          "cache-control": "public, max-age=3600",
          // A browser treats an SVG opened on its own as a document. This policy lets it draw and blocks everything
          // else.
          "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
        });
        if (request.headers["if-none-match"] === etag) return reply.code(304).send();
        return reply.type("image/svg+xml; charset=utf-8").send(svg);
      },
    );
  };
}
