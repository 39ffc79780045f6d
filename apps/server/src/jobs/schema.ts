import { bigserial, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { millis } from "../db/columns.ts";

/** Work that must happen even if the process dies. A worker leases a job and retries it with growing pauses. */
export const job = pgTable(
  "job",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    kind: text("kind").notNull(),
    /** While a job with this key is unfinished, another job with the same key is not created. */
    dedupeKey: text("dedupe_key").unique(),
    payload: jsonb("payload").notNull(),
    runAt: millis("run_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Another worker may take the job from this time on. Null if no worker holds it. */
    leaseUntil: millis("lease_until"),
    /** The worker that holds the job. Only this worker may finish it. */
    leaseOwner: text("lease_owner"),
    /** The request that created the job, if one did. */
    requestId: text("request_id"),
    /** The last error, without personal data. */
    lastError: text("last_error"),
    createTime: millis("create_time").notNull(),
    /** Time at which the job was given up. It is stored for the operator. */
    failedTime: millis("failed_time"),
  },
  (table) => [index("job_due").on(table.runAt)],
);
