import { envelope } from "@aqua/sdk/api/envelope";
import { restoreBody } from "@aqua/sdk/api/operator";
import { parseTilePath, writeBundle } from "@aqua/sdk/proofs/log/tree";
import { and, asc, gte, lt } from "drizzle-orm";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { type OperatorAccess, operatorOnly } from "../operators/access.ts";
import { publicLogEntry } from "./schema.ts";
import { type LogKey, newestCheckpoint, nodesOf, TILE } from "./tree.ts";
import type { LogWriter } from "./writer.ts";

const tags = ["public log"];

/** The public log in the form of C2SP tlog-tiles. */
export function publicLogRoutes({ orm }: Pick<Database, "orm">, key: LogKey): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/log/checkpoint",
      {
        schema: {
          summary: "The newest signed checkpoint of the public log (C2SP tlog-checkpoint)",
          description:
            "log/tile/… has the tiles of its tree and its entries (C2SP tlog-tiles), such as log/tile/entries/000.p/12.",
          tags,
        },
      },
      async (_request, reply) => {
        const log = await newestCheckpoint(orm);
        if (log === null) throw new ApiError("not_found", "This instance has no public log");
        return reply.type("text/plain; charset=utf-8").header("cache-control", "no-cache").send(log.checkpoint);
      },
    );
    app.get(
      "/log/key",
      { schema: { summary: "The key that signs the checkpoints, as a verifier key of a signed note", tags } },
      async (_request, reply) => reply.type("text/plain; charset=utf-8").send(`${key.verifier}\n`),
    );
    app.get(
      "/log/tile/*",
      {
        schema: {
          // OpenAPI has no form for a path with any number of parts.
          hide: true,
          params: z.object({ "*": z.string().max(60) }),
        },
      },
      async ({ params }, reply) => {
        const tile = parseTilePath(`tile/${params["*"]}`);
        if (tile === null) throw new ApiError("not_found", "This is not the path of a tile");
        const { level, n, width } = tile;
        const parts = level === "entries" ? await entries(n * TILE, width) : await nodesOf(orm)(level, n * TILE, width);
        if (parts.length < width) throw new ApiError("not_found", "The log has no such tile yet");
        return reply
          .type("application/octet-stream")
          .header("cache-control", "public, max-age=31536000, immutable")
          .send(Buffer.from(level === "entries" ? writeBundle(parts) : Buffer.concat(parts)));
      },
    );
  };

  async function entries(from: number, count: number): Promise<Uint8Array[]> {
    const rows = await orm
      .select({ content: publicLogEntry.content })
      .from(publicLogEntry)
      .where(and(gte(publicLogEntry.index, from), lt(publicLogEntry.index, from + count)))
      .orderBy(asc(publicLogEntry.index));
    return rows.map(({ content }) => new Uint8Array(content));
  }
}

/** The operator's call that declares a restore from a backup. */
export function restoreRoutes({
  db,
  writer,
  access,
}: {
  db: Pick<Database, "transaction">;
  writer: LogWriter;
  access: OperatorAccess;
}): FastifyPluginAsyncZod {
  return async (app) => {
    operatorOnly(app, access, "instance");
    app.post(
      "/operator/log/restore",
      {
        schema: {
          summary: "Says for all to see that the database was restored from a backup",
          description: "Names the checkpoint that the log no longer leads to. The entries after the backup are lost.",
          tags: ["operator"],
          body: restoreBody,
          response: { 200: envelope(restoreBody) },
        },
      },
      async ({ body, act }) => {
        await db.transaction((tx) => writer.note(tx, { kind: "restore", content: body, act }));
        return { data: body };
      },
    );
  };
}
