import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** The server processes on this database, for the operator. A process that was killed is in it for some seconds. */
export const instance = pgTable("instance", {
  /** Also the name under which the process holds leases. */
  id: uuid("id").primaryKey(),
  version: text("version").notNull(),
  /** Host name of the machine or container. */
  host: text("host").notNull(),
  roles: text("roles").array().notNull(),
  /** Both by the database's clock. */
  startTime: timestamp("start_time", { withTimezone: true, mode: "date" }).notNull().defaultNow(),
  seenTime: timestamp("seen_time", { withTimezone: true, mode: "date" }).notNull().defaultNow(),
});
