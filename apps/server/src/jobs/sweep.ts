import type { Database } from "../db/database.ts";
import { type JobHandler, JobNotYet } from "./runner.ts";
import { enqueue } from "./store.ts";

const KIND = "sweep";
const EVERY_MS = 10 * 60_000;

export interface Sweep {
  /** Takes the job on, unless it is there already: one for all processes of an instance. */
  schedule(): Promise<void>;
  handlers: Readonly<Record<string, JobHandler>>;
}

/** Removes what has expired, every ten minutes for ever. Nothing depends on it but the size of the tables. */
export function createSweep(db: Pick<Database, "orm">, rooms: readonly (() => Promise<void>)[]): Sweep {
  return {
    schedule: () => enqueue(db.orm, { kind: KIND, payload: {}, dedupeKey: KIND }),
    handlers: {
      async [KIND]() {
        for (const room of rooms) await room();
        // The job is never done: it comes back.
        throw new JobNotYet(EVERY_MS);
      },
    },
  };
}
