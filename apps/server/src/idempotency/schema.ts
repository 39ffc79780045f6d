import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, millis } from "../db/columns.ts";

/** Answers to requests with an Idempotency-Key. */
export const idempotency = pgTable(
  "idempotency",
  {
    /** SHA-256 of the caller, the route and the key. */
    keyHash: text("key_hash").primaryKey(),
    bodyHash: text("body_hash").notNull(),
    /** Null while the first request is in progress. */
    status: integer("status"),
    /**
     * Sealed under a key derived from the Idempotency-Key itself, which only the caller knows, because an answer may
     * contain a token.
     */
    answer: bytes("answer"),
    /** The time after which the first request counts as lost and another may run. */
    leaseUntil: millis("lease_until").notNull(),
    expires: millis("expires").notNull(),
  },
  (table) => [index("idempotency_expires").on(table.expires)],
);
