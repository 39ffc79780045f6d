import type { OptionalNotice } from "@aqua/sdk/api/notices";
import { bigint, boolean, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { account } from "../account/schema.ts";
import { millis } from "../db/columns.ts";

const accountId = () =>
  text("account_id")
    .notNull()
    .references(() => account.id, { onDelete: "cascade" });

/** Notices that an account has received, so that none is sent twice. They are stored as long as the account. */
export const noticeSent = pgTable(
  "notice_sent",
  {
    accountId: accountId(),
    /**
     * Derived from the subject of the notice as the chain or the tables name it. A restart or a reorganisation produces
     * the same key.
     */
    key: text("key").notNull(),
    time: millis("time").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.key] })],
);

/** The notices that an account's owner has switched on or off. Without a row the default of the kind applies. */
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

/** The last notice that operators were sent of an expiry of a product's evidence, so that none is sent twice. */
export const evidenceNotice = pgTable(
  "evidence_notice",
  {
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
    product: text("product").notNull(),
    /** Hash of the document, or `evidence_until` for the time on chain until which the evidence is valid. */
    hash: text("hash").notNull(),
    /** The day on which the document expires, or the time on chain in ISO 8601. */
    expires: text("expires").notNull(),
    /** Days before the expiry of which the notice told: 30, 7, 1, or 0 after the expiry. */
    days: integer("days").notNull(),
    time: millis("time").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.product, table.hash, table.expires] })],
);

/** Other notices that operators were sent, so that none is sent twice. `key` names the fact. */
export const operatorNotice = pgTable("operator_notice", {
  key: text("key").primaryKey(),
  time: millis("time").notNull(),
});
