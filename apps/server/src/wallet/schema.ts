import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";
import { hex, millis } from "../db/columns.ts";

/** Messages that were issued for a signature. */
export const walletNonce = pgTable(
  "wallet_nonce",
  {
    nonce: text("nonce").primaryKey(),
    address: hex("address").notNull(),
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
    /** The whole text. It is compared exactly. */
    message: text("message").notNull(),
    /** The account whose session requested the message. Null without a session. */
    accountId: text("account_id"),
    expires: millis("expires").notNull(),
    usedTime: millis("used_time"),
  },
  (table) => [index("wallet_nonce_expires").on(table.expires)],
);
