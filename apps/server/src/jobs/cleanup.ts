import { MINUTE_MS } from "@aqua/sdk/durations";
import type { Database } from "../db/database.ts";
import { type JobHandler, RetryLater } from "./runner.ts";
import { enqueue } from "./store.ts";

/** Its name in the tables of running instances. */
const KIND = "sweep";
const EVERY_MS = 10 * MINUTE_MS;

export interface Cleanup {
  /** Takes the job on, unless it is there already: one for all processes of an instance. */
  start(): Promise<void>;
  jobs: Readonly<Record<string, JobHandler>>;
}

/** Deletes what has expired, every ten minutes for ever. Nothing depends on it but the size of the tables. */
export function createCleanup(db: Pick<Database, "orm">, deletions: readonly (() => Promise<void>)[]): Cleanup {
  return {
    start: () => enqueue(db.orm, { kind: KIND, payload: {}, dedupeKey: KIND }),
    jobs: {
      async [KIND]() {
        const failures: unknown[] = [];
        for (const deleteExpired of deletions) await deleteExpired().catch((error) => failures.push(error));
        // Not before the last: one table that cannot be emptied must not let the others grow.
        if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join("; "));
        // The job is never done: it comes back.
        throw new RetryLater(EVERY_MS);
      },
    },
  };
}
