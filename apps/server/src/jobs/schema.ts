import { bigserial, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { millis } from "../db/columns.ts";

/** Work that must happen although the process may die: taken with a lease, tried again with growing pauses. */
export const job = pgTable(
  "job",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    kind: text("kind").notNull(),
    /** While a job with this key is not done, another with the same key is not taken on. */
    dedupeKey: text("dedupe_key").unique(),
    payload: jsonb("payload").notNull(),
    runAt: millis("run_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** Another worker may take the job from this time on; null when nobody holds it. */
    leaseUntil: millis("lease_until"),
    /** Which worker holds it: only that one may finish it. */
    leaseOwner: text("lease_owner"),
    /** What went wrong last, without personal data. */
    lastError: text("last_error"),
    createTime: millis("create_time").notNull(),
    /** Given up: kept for the operator to see. */
    failedTime: millis("failed_time"),
  },
  (table) => [index("job_due").on(table.runAt)],
);
