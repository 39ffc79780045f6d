import { MINUTE_MS } from "@aqua/sdk/durations";
import type { Database } from "../db/database.ts";
import { type JobHandler, RetryLater } from "./runner.ts";
import { enqueue } from "./store.ts";

/** Kind of the job in the tables of running instances. */
const KIND = "sweep";
const EVERY_MS = 10 * MINUTE_MS;

export interface Cleanup {
  /** Creates the job unless it exists. There is one for all processes of an instance. */
  start(): Promise<void>;
  jobs: Readonly<Record<string, JobHandler>>;
}

/** Deletes expired rows every ten minutes. Only the size of the tables depends on it. */
export function createCleanup(db: Pick<Database, "orm">, deletions: readonly (() => Promise<void>)[]): Cleanup {
  return {
    start: () => enqueue(db.orm, { kind: KIND, payload: {}, dedupeKey: KIND }),
    jobs: {
      async [KIND]() {
        const failures: unknown[] = [];
        for (const deleteExpired of deletions) await deleteExpired().catch((error) => failures.push(error));
        // The error is thrown after the last deletion, because a failure for one table must not let the others grow.
        if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join("; "));
        // The job never finishes. It is scheduled again.
        throw new RetryLater(EVERY_MS);
      },
    },
  };
}
