import type { Database } from "../../src/db/database.ts";
import type { JobHandler } from "../../src/jobs/runner.ts";
import * as store from "../../src/jobs/store.ts";

/** Runs every due job, one after the other, as a runner would. Returns their number. */
export async function workOff(db: Database, handlers: Readonly<Record<string, JobHandler>>): Promise<number> {
  const { signal } = new AbortController();
  for (let worked = 0; ; worked += 1) {
    const [job] = await store.lease(db.orm, {
      kinds: Object.keys(handlers),
      owner: "test",

      leaseMs: 60_000,
      most: 1,
    });
    if (job === undefined) return worked;
    await handlers[job.kind]?.(job.payload, { ...job, signal });
    await store.done(db.orm, job.id, "test");
  }
}
