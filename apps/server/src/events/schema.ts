import { bigserial, index, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** Events that only one process knows, for the subscribers of the other processes. Rows are stored for minutes. */
export const sharedEvent = pgTable(
  "shared_event",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    /** The process that has already published the event to its own subscribers. */
    process: uuid("process").notNull(),
    name: text("name").notNull(),
    data: jsonb("data").notNull(),
    /** The account whose sessions receive the event. Null if the data names a wallet. */
    accountId: text("account_id"),
    createTime: timestamp("create_time", { withTimezone: true, mode: "date" }).notNull().defaultNow(),
  },
  (table) => [index("shared_event_of_time").on(table.createTime)],
);
