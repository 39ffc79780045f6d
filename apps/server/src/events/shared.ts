import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerEvents } from "@aqua/sdk/api/events";
import { sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { statement } from "../db/statement.ts";
import type { EventHub } from "./hub.ts";
import { sharedEvent } from "./schema.ts";

export interface SharedEventParts {
  db: Database;
  hub: EventHub;
  log: { warn(fields: object, message: string): void };
  pollMs?: number;
  /**
   * Milliseconds for which an event is read. If two events are written at once, the later one may be visible first.
   */
  windowMs?: number;
}

/** Publishes the events that only this process knows to the subscribers of every process on the database. */
export interface SharedEvents extends Pick<EventHub, "publish" | "publishIdentity"> {
  start(): void;
  stop(): Promise<void>;
  deleteExpired(): Promise<void>;
}

interface Row {
  id: string;
  name: "transaction";
  data: ServerEvents["transaction"];
  account_id: string | null;
}

const newest = statement<{ process: string; window: number }, Row>(
  "shared_events",
  sql`select e.id, e.name, e.data, e.account_id from shared_event e
    where e.create_time > now() - ${sql.placeholder("window")}::integer * interval '1 millisecond'
      and e.process <> ${sql.placeholder("process")}::uuid
    order by e.id`,
);

/** Polls for the events of the other processes. If events were missed for too long, subscribers get `reset`. */
export function createSharedEvents(parts: SharedEventParts): SharedEvents {
  const { db, hub, log, pollMs = 1_000, windowMs = 10_000 } = parts;
  // The embedded database has one process.
  const isAlone = db.kind === "embedded";
  const process = randomUUID();
  const stopping = new AbortController();
  const writing = new Set<Promise<void>>();
  /** Ids of the events that the last poll read. Every poll reads the events of the window again. */
  let readIds: ReadonlySet<string> = new Set();
  let lookedAt = performance.now();
  let running: Promise<void> | null = null;

  function write(event: Pick<typeof sharedEvent.$inferInsert, "name" | "data" | "accountId">): void {
    if (isAlone) return;
    const written: Promise<void> = db.orm
      .insert(sharedEvent)
      .values({ process, ...event })
      .then(
        () => {},
        (error: unknown) => log.warn({ err: error }, "an event does not reach the other processes"),
      )
      .finally(() => writing.delete(written));
    writing.add(written);
  }

  async function look(): Promise<void> {
    const begun = performance.now();
    const rows = await newest(db.orm, { process, window: windowMs });
    const before = readIds;
    const isLate = begun - lookedAt > windowMs / 2;
    readIds = new Set(rows.map(({ id }) => id));
    lookedAt = begun;
    if (isLate) return hub.publish("reset", {});
    for (const { id, name, data, account_id: accountId } of rows) {
      if (before.has(id)) continue;
      if (accountId !== null) hub.publishIdentity(accountId);
      else hub.publish(name, data);
    }
  }

  async function run(): Promise<void> {
    let isAway = false;
    while (!stopping.signal.aborted) {
      try {
        await look();
        isAway = false;
      } catch (error) {
        // Logs once for each outage. Events that were missed meanwhile are read or announced by `reset` afterwards.
        if (!isAway) log.warn({ err: error }, "the events of the other processes cannot be read");
        isAway = true;
      }
      await sleep(pollMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    publish(name, data) {
      hub.publish(name, data);
      write({ name, data });
    },
    publishIdentity(accountId) {
      hub.publishIdentity(accountId);
      write({ name: "identity", data: {}, accountId });
    },
    start() {
      if (!isAlone) running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(writing);
    },
    async deleteExpired() {
      await db.orm.execute(
        sql`delete from shared_event where create_time < now() - ${2 * windowMs}::integer * interval '1 millisecond'`,
      );
    },
  };
}
