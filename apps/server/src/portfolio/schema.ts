import { bigint, boolean, customType, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

const hex = customType<{ data: `0x${string}`; driverData: string }>({ dataType: () => "text" });

/**
 * What a wallet sent and the indexer has not seen yet. A row is a claim until the node confirms its sender; once the
 * hash is indexed the movement speaks and the row is removed.
 */
export const pendingTransaction = pgTable(
  "pending_transaction",
  {
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
    hash: hex("hash").notNull(),
    address: hex("address").notNull(),
    kind: text("kind").notNull(),
    shortId: text("short_id"),
    /** Decimal string in whole units, as it was announced. */
    amount: text("amount"),
    description: text("description").notNull(),
    status: text("status").$type<"pending" | "failed">().notNull(),
    /** The node knows the hash and its sender is `address`. */
    verified: boolean("verified").notNull(),
    /** Nonce of the transaction once the node has shown it: how a replacement is noticed. */
    nonce: bigint("nonce", { mode: "number" }),
    /** Unix milliseconds. */
    createTime: bigint("create_time", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.hash] }),
    index("pending_transaction_of_wallet").on(table.address, table.createTime),
  ],
);
