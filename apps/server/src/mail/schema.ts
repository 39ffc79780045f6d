import { index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { millis } from "../db/columns.ts";

/** Mails of an instance without a mail server, for its developer. */
export const mailOutbox = pgTable(
  "mail_outbox",
  {
    /** Id of the job that sent the mail. A mail that is sent again after a crash is thus stored only once. */
    id: text("id").primaryKey(),
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    text: text("text").notNull(),
    html: text("html").notNull(),
    /** Headers in addition to those of every mail. They tell mail programs how to unsubscribe. */
    headers: jsonb("headers").$type<Record<string, string>>().notNull().default({}),
    createTime: millis("create_time").notNull(),
  },
  (table) => [index("mail_outbox_of_recipient").on(table.recipient, table.createTime)],
);
