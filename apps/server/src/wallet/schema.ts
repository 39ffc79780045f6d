import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";
import { hex, millis } from "../db/columns.ts";

/** Messages given out to be signed. */
export const walletNonce = pgTable(
  "wallet_nonce",
  {
    nonce: text("nonce").primaryKey(),
    address: hex("address").notNull(),
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
    /** The whole text, compared letter by letter. */
    message: text("message").notNull(),
    /** Whose session asked; null without one. */
    accountId: text("account_id"),
    expires: millis("expires").notNull(),
    usedTime: millis("used_time"),
  },
  (table) => [index("wallet_nonce_expires").on(table.expires)],
);
