import { index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { millis } from "../db/columns.ts";

/** Mails of an instance without a mail server, for its developer to read. */
export const mailOutbox = pgTable(
  "mail_outbox",
  {
    /** The job that sent it: a mail that is sent again after a crash is written once. */
    id: text("id").primaryKey(),
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    text: text("text").notNull(),
    html: text("html").notNull(),
    /** Beside those of every mail: how a mail program unsubscribes. */
    headers: jsonb("headers").$type<Record<string, string>>().notNull().default({}),
    createTime: millis("create_time").notNull(),
  },
  (table) => [index("mail_outbox_of_recipient").on(table.recipient, table.createTime)],
);
