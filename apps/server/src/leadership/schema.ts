import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Work that only one of the servers on this database does at a time. */
export const leadership = pgTable("leadership", {
  work: text("work").primaryKey(),
  /** Random id of the process that does it. */
  leader: text("leader").notNull(),
  /** By the database's clock. From then on another process may take over. */
  until: timestamp("until", { withTimezone: true }).notNull(),
});
