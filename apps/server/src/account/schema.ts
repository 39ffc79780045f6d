import { bigint, customType, index, pgTable, text } from "drizzle-orm/pg-core";

const hex = customType<{ data: `0x${string}`; driverData: string }>({ dataType: () => "text" });

/** Which account a wallet is linked to. One wallet belongs to one account. */
export const accountWallet = pgTable(
  "account_wallet",
  {
    /** Lower case. */
    address: hex("address").primaryKey(),
    accountId: text("account_id").notNull(),
    /** Unix milliseconds. */
    createTime: bigint("create_time", { mode: "number" }).notNull(),
  },
  (table) => [index("account_wallet_of_account").on(table.accountId)],
);
