import type { BindingReason, WalletBinding } from "@aqua/sdk/api/auth";
import { sql } from "drizzle-orm";
import { bigint, boolean, index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { account } from "../account/schema.ts";
import { hex, millis } from "../db/columns.ts";

/** The account that a wallet is linked to. A wallet belongs permanently to one account. */
export const accountWallet = pgTable(
  "account_wallet",
  {
    /** Lower case. */
    address: hex("address").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => account.id, { onDelete: "cascade" }),
    createTime: millis("create_time").notNull(),
    /** True for the wallet that logs in. Former ones were switched away from or unlinked. */
    current: boolean("current").notNull(),
    /**
     * The time at which its owner unlinked it; null otherwise. The next wallet of the account then waits as after a
     * switch from this one.
     */
    unlinkTime: millis("unlink_time"),
    /** The text that the wallet signed, without `\nRequest ID: <subject>`, and the signature. The chain needs both. */
    message: text("message").notNull(),
    signature: hex("signature").notNull(),
    /** The chain that the message names. */
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
  },
  (table) => [
    index("account_wallet_of_account").on(table.accountId),
    uniqueIndex("account_wallet_current").on(table.accountId).where(sql`${table.current}`),
  ],
);

/** State of a wallet's record on a chain. */
export const walletBinding = pgTable(
  "wallet_binding",
  {
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
    address: hex("address").notNull(),
    state: text("state").$type<WalletBinding["state"]>().notNull(),
    hash: hex("hash"),
    reason: text("reason").$type<BindingReason>(),
    updateTime: millis("update_time").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.address] })],
);

/**
 * A wallet that replaced another one in its account. Until `effectiveTime` the attester writes nothing about either.
 */
export const walletSwitch = pgTable(
  "wallet_switch",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => account.id, { onDelete: "cascade" }),
    from: hex("from_address").notNull(),
    to: hex("to_address").notNull(),
    /** True if this switch linked `to` for the first time. */
    linked: boolean("linked").notNull(),
    createTime: millis("create_time").notNull(),
    effectiveTime: millis("effective_time").notNull(),
    /** The time at which it was stopped; null otherwise. */
    stopTime: millis("stop_time"),
    /** SHA-256 of the token in the mail's link. */
    tokenHash: text("token_hash").notNull().unique(),
  },
  (table) => [index("wallet_switch_of_account").on(table.accountId)],
);
