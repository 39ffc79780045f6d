import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import { leadership } from "./schema.ts";

export interface Leadership {
  start(): void;
  /** Stops the work and lets another server take over at once. */
  stop(): Promise<void>;
}

export interface LeadershipParts {
  db: Pick<Database, "orm">;
  log: Pick<Logger, "info" | "warn">;
  /** Id of this process. */
  leader?: string;
  /** Name of the work, the same on each server. */
  work: string;
  /** Begins the work. Called again after the leadership was lost and regained. */
  begin: () => void;
  /** Ends the work. After it resolves, another server may do the work. */
  end: () => Promise<void>;
  /** Milliseconds after which another server takes over from one that was killed or stopped. */
  leaseMs?: number;
}

const LEASE_MS = 3_000;
const RELEASE_MS = 1_500;

/**
 * Does a work on one of the servers that share a database. The leader renews a lease in the database; a server that
 * cannot renew it in time ends its work by its own clock, before the lease runs out by the database's. Work that a paused
 * process still does after that must be harmless, since no clock can prevent it.
 */
export function createLeadership({
  db,
  log,
  leader = randomUUID(),
  work,
  begin,
  end,
  leaseMs = LEASE_MS,
}: LeadershipParts): Leadership {
  const { orm } = db;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isLeading = false;
  let isComplaining = false;
  let ending: Promise<void> = Promise.resolve();
  let expiry: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  /** Takes the lease if it is free, or extends it. Returns whether this process has it. */
  async function renew(): Promise<boolean> {
    const until = sql`now() + ${leaseMs} * interval '1 millisecond'`;
    const rows = await orm
      .insert(leadership)
      .values({ work, leader, until })
      .onConflictDoUpdate({
        target: leadership.work,
        set: { leader, until },
        setWhere: sql`${leadership.leader} = ${leader} or ${leadership.until} < now()`,
      })
      .returning({ work: leadership.work });
    return rows.length > 0;
  }

  function resign(reason: string): void {
    clearTimeout(expiry);
    if (!isLeading) return;
    isLeading = false;
    log.warn({ work, reason }, "this server no longer leads");
    ending = end().catch((error: unknown) => log.warn({ err: error, work }, "the work could not be ended"));
  }

  async function turn(): Promise<void> {
    const asked = performance.now();
    const isMine = await renew();
    if (!isMine) return resign("another server took over");
    const left = leaseMs - (performance.now() - asked);
    clearTimeout(expiry);
    expiry = setTimeout(resign, left, "the lease could not be renewed in time").unref();
    if (isLeading) return;
    await ending;
    // The lease may have run out while the former work ended.
    if (signal.aborted || performance.now() - asked >= leaseMs) return;
    isLeading = true;
    log.info({ work }, "this server leads");
    begin();
  }

  async function release(): Promise<void> {
    try {
      await orm.delete(leadership).where(and(eq(leadership.work, work), eq(leadership.leader, leader)));
    } catch (error) {
      log.warn({ err: error, work }, "the lease could not be released; it runs out by itself");
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await turn();
        isComplaining = false;
      } catch (error) {
        if (!isComplaining) log.warn({ err: error, work }, "the lease could not be renewed; it is tried again");
        isComplaining = true;
      }
      await sleep(leaseMs / 3, undefined, { signal }).catch(() => {});
    }
  }

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      clearTimeout(expiry);
      const isReleased = isLeading;
      isLeading = false;
      await ending;
      if (!isReleased) return;
      await end();
      // A database that does not answer must not delay the stop; the lease then runs out.
      await Promise.race([running?.then(release), sleep(RELEASE_MS, undefined, { ref: false })]);
    },
  };
}
