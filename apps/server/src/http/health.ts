import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import { version } from "../version.ts";
import type { ServedChain } from "./chains.ts";

const health = z.object({
  status: z.literal("ok"),
  version: z.string(),
  database: z.enum(["embedded", "server"]),
  notes: z.array(z.string()),
});
const readiness = z.object({
  status: z.enum(["ready", "not_ready"]),
  reasons: z.array(z.object({ part: z.string(), reason: z.string() })),
});
type Reasons = z.infer<typeof readiness>["reasons"];

const EMBEDDED_NOTE =
  "The embedded database is on this machine's disk alone, without a replica; set DATABASE_URL for real use.";

/** GET /health: the process runs. GET /ready: it can answer with current figures. */
export function registerHealth({
  app,
  db,
  chains,
  notes,
}: {
  app: FastifyInstance;
  db: Database;
  chains: readonly ServedChain[];
  notes: () => string[];
}): void {
  app.addHook("onError", async (_request, _reply, error) => db.noteFailure(error));
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.get(
    "/health",
    { schema: { summary: "Whether the process runs", tags: ["operations"], response: { 200: health } } },
    async (_request, reply) => {
      reply.header("cache-control", "no-store");
      return {
        status: "ok" as const,
        version,
        database: db.kind,
        notes: [...(db.kind === "embedded" ? [EMBEDDED_NOTE] : []), ...notes()],
      };
    },
  );
  typed.get(
    "/ready",
    {
      schema: {
        summary: "Whether the database answers and every chain is indexed to its head",
        tags: ["operations"],
        response: { 200: readiness, 503: readiness },
      },
    },
    async (request, reply) => {
      const reasons = [...(await databaseReasons(db, request.log)), ...chainReasons(chains)];
      reply.header("cache-control", "no-store");
      if (reasons.length === 0) return { status: "ready" as const, reasons };
      return reply
        .code(503)
        .header("retry-after", "1")
        .send({ status: "not_ready" as const, reasons });
    },
  );
}

async function databaseReasons(db: Database, log: FastifyInstance["log"]): Promise<Reasons> {
  try {
    await db.ping();
    return db.isDiskFull() ? [{ part: "database", reason: "disk_full" }] : [];
  } catch (error) {
    log.error({ err: error }, "the database does not answer");
    return [{ part: "database", reason: "unavailable" }];
  }
}

function chainReasons(chains: readonly ServedChain[]): Reasons {
  return chains.flatMap(({ chainId, deployment, status }) => {
    if (deployment === null) return [];
    const state = status()?.state ?? "backfill";
    return state === "live" ? [] : [{ part: `chain ${chainId}`, reason: state }];
  });
}
