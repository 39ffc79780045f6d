import type { OptionalNotice } from "@aqua/sdk/api/notices";
import { boolean, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { account } from "../account/schema.ts";
import { millis } from "../db/columns.ts";

const accountId = () =>
  text("account_id")
    .notNull()
    .references(() => account.id, { onDelete: "cascade" });

/** Notices an account was sent, so that none is sent twice. Stored as long as the account is. */
export const noticeSent = pgTable(
  "notice_sent",
  {
    accountId: accountId(),
    /** Made of what the notice is about, as the chain or the tables name it: a restart or a reorg makes the same. */
    key: text("key").notNull(),
    time: millis("time").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.key] })],
);

/** Which notices an account's owner has switched on or off; without a row the kind's default applies. */
export const noticePreference = pgTable(
  "notice_preference",
  {
    accountId: accountId(),
    kind: text("kind").$type<OptionalNotice>().notNull(),
    enabled: boolean("enabled").notNull(),
    updateTime: millis("update_time").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
);
