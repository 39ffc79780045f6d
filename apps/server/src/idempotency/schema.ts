import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, millis } from "../db/columns.ts";

/** Answers of requests that carried an Idempotency-Key. */
export const idempotency = pgTable(
  "idempotency",
  {
    /** SHA-256 of who asked, the route and the key. */
    keyHash: text("key_hash").primaryKey(),
    bodyHash: text("body_hash").notNull(),
    /** Null while the first request is under way. */
    status: integer("status"),
    /** Sealed under a key made of the Idempotency-Key itself, which only the caller has: an answer may hold a token. */
    answer: bytes("answer"),
    /** When the first request counts as lost, and another may run. */
    leaseUntil: millis("lease_until").notNull(),
    expires: millis("expires").notNull(),
  },
  (table) => [index("idempotency_expires").on(table.expires)],
);
