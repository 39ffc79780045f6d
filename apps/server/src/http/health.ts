import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { Trouble } from "../feature.ts";
import { version } from "../version.ts";
import type { ServedChain } from "./chains.ts";

const part = z.object({ part: z.string(), reason: z.string() });
const degraded = z
  .array(part.extend({ note: z.string().optional() }))
  .describe("Parts that do not work fully. Everything else is served, with figures of such a chain marked stale.");
const liveness = z.object({
  status: z.literal("ok"),
  version: z.string(),
  database: z.enum(["embedded", "server"]),
  notes: z.array(z.string()),
  degraded,
});
const readiness = z.object({ status: z.enum(["ready", "not_ready"]), reasons: z.array(part), degraded });
type Part = z.infer<typeof part>;

const EMBEDDED_NOTE =
  "The embedded database is on this machine's disk alone, without a replica; set DATABASE_URL for real use.";

/**
 * GET /live: the process runs (`/health` is its former name). GET /ready: it can answer requests. Both name the degraded
 * parts, which make no server unready: its reads answer without them.
 */
export function registerHealth({
  app,
  db,
  degradedParts,
  wrongChains,
  isStopping,
}: {
  app: FastifyInstance;
  db: Database;
  degradedParts: () => Trouble[];
  wrongChains: () => Part[];
  isStopping: () => boolean;
}): void {
  app.addHook("onError", async (_request, _reply, error) => db.noteFailure(error));
  const typed = app.withTypeProvider<ZodTypeProvider>();
  for (const url of ["/live", "/health"]) {
    typed.get(
      url,
      { schema: { summary: "Whether the process runs", tags: ["operations"], response: { 200: liveness } } },
      async (_request, reply) => {
        reply.header("cache-control", "no-store");
        const parts = degradedParts();
        const notes = parts.flatMap(({ note }) => note ?? []);
        return {
          status: "ok" as const,
          version,
          database: db.kind,
          notes: [...(db.kind === "embedded" ? [EMBEDDED_NOTE] : []), ...notes],
          degraded: parts,
        };
      },
    );
  }
  typed.get(
    "/ready",
    {
      schema: {
        summary:
          "Whether the database answers, no chain's figures are known to be wrong, and the server is not stopping",
        tags: ["operations"],
        response: { 200: readiness, 503: readiness },
      },
    },
    async (request, reply) => {
      const stopping = isStopping() ? [{ part: "server", reason: "stopping" }] : [];
      const reasons = [...stopping, ...(await databaseReasons(db, request.log)), ...wrongChains()];
      reply.header("cache-control", "no-store");
      const body = { reasons, degraded: degradedParts() };
      if (reasons.length === 0) return { status: "ready" as const, ...body };
      return reply
        .code(503)
        .header("retry-after", "1")
        .send({ status: "not_ready" as const, ...body });
    },
  );
}

async function databaseReasons(db: Database, log: FastifyInstance["log"]): Promise<Part[]> {
  try {
    await db.ping();
    return db.isDiskFull() ? [{ part: "database", reason: "disk_full" }] : [];
  } catch (error) {
    log.error({ err: error }, "the database does not answer");
    return [{ part: "database", reason: "unavailable" }];
  }
}

/**
 * The state of each chain that is not followed to its head. `wrong` only if its figures are of blocks that the chain no
 * longer has, so that they must not be served.
 */
export function chainTroubles(chains: readonly ServedChain[]): (Part & { wrong: boolean })[] {
  return chains.flatMap(({ chainId, deployment, status }) => {
    if (deployment === null) return [];
    const state = status()?.state ?? "backfill";
    return state === "live" ? [] : [{ part: `chain ${chainId}`, reason: state, wrong: state === "reorg_too_deep" }];
  });
}
