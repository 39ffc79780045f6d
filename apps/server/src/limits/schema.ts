import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";
import { millis } from "../db/columns.ts";

/** Uses that are limited. They are stored here, so that limits survive a restart. */
export const limitUse = pgTable(
  "limit_use",
  {
    /**
     * The rule and the hash of the limited party, such as `login.account:…`. Never an e-mail or an address in plain
     * text.
     */
    key: text("key").primaryKey(),
    /**
     * The times of the uses in Unix milliseconds, oldest first. Uses that no longer count are removed with the next
     * use.
     */
    uses: bigint("uses", { mode: "number" }).array().notNull(),
    /** The time from which the row no longer counts and may be deleted. */
    expires: millis("expires").notNull(),
  },
  (table) => [index("limit_use_expires").on(table.expires)],
);

/**
 * Calls of an address in a window, by all processes. The table is unlogged: it is empty after a crash of the database,
 * which costs a minute's limits, and its writes cost no flush.
 */
export const callBudget = pgTable(
  "call_budget",
  {
    /** The kind of calls and the hash of the address, such as `api:…`. */
    key: text("key").primaryKey(),
    /** Calls that processes have taken. It can exceed the limit, because the last that asks gets only what is left. */
    taken: bigint("taken", { mode: "number" }).notNull(),
    /** The end of the window. */
    ends: millis("ends").notNull(),
  },
  (table) => [index("call_budget_ends").on(table.ends)],
);
