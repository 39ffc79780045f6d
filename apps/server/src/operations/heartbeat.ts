import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq, sql } from "drizzle-orm";
import type { Role } from "../config.ts";
import type { Database, Orm } from "../db/database.ts";
import { version } from "../version.ts";
import { instance } from "./schema.ts";

const EVERY_MS = 5_000;
/** A process that was not seen for this long does not run, or cannot reach the database. */
const RUNS_MS = 15_000;
/** After this time nobody wonders any more what became of a process. */
const FORGOTTEN_MS = 3_600_000;

export interface HeartbeatParts {
  db: Pick<Database, "orm">;
  id: string;
  roles: readonly Role[];
  log: { warn(fields: object, message: string): void };
  everyMs?: number;
}

/** Says in the database that this process runs. */
export function createHeartbeat({ db, id, roles, log, everyMs = EVERY_MS }: HeartbeatParts) {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  async function beat(): Promise<void> {
    await db.orm
      .insert(instance)
      .values({ id, version, host: hostname(), roles: [...roles] })
      .onConflictDoUpdate({ target: instance.id, set: { seenTime: sql`now()` } });
  }

  async function run(): Promise<void> {
    let isAway = false;
    while (!stopping.signal.aborted) {
      try {
        await beat();
        isAway = false;
      } catch (error) {
        if (!isAway) log.warn({ err: error }, "the database cannot be told that this server runs; it is tried again");
        isAway = true;
      }
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
      await db.orm
        .delete(instance)
        .where(eq(instance.id, id))
        .catch((error: unknown) => log.warn({ err: error }, "this server stays in the list of instances for a while"));
    },
    async deleteExpired() {
      await db.orm
        .delete(instance)
        .where(sql`${instance.seenTime} < now() - ${FORGOTTEN_MS} * interval '1 millisecond'`);
    },
  };
}

/** The processes that run on this database, oldest first. */
export async function runningInstances(orm: Orm): Promise<(typeof instance.$inferSelect)[]> {
  return orm
    .select()
    .from(instance)
    .where(sql`${instance.seenTime} > now() - ${RUNS_MS} * interval '1 millisecond'`)
    .orderBy(asc(instance.startTime), asc(instance.id));
}
