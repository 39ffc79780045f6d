import { bigserial, index, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** Events that one process alone knows of, for the subscribers of the others. Kept for minutes. */
export const sharedEvent = pgTable(
  "shared_event",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    /** The process that has published it to its own subscribers. */
    process: uuid("process").notNull(),
    name: text("name").notNull(),
    data: jsonb("data").notNull(),
    /** Whose sessions it is for; null where the data names a wallet. */
    accountId: text("account_id"),
    createTime: timestamp("create_time", { withTimezone: true, mode: "date" }).notNull().defaultNow(),
  },
  (table) => [index("shared_event_of_time").on(table.createTime)],
);
