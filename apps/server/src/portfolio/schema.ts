import type { TransactionKind } from "@aqua/sdk/api/portfolio";
import { bigint, boolean, customType, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

const hex = customType<{ data: `0x${string}`; driverData: string }>({ dataType: () => "text" });

/**
 * Transactions that a wallet sent and the indexer has not seen yet. A row is an unconfirmed claim until the node
 * knows the hash and confirms that `address` sent it. Nobody sees the row before that. The server then reads kind,
 * product and amount from the call. It stores no free text from the announcement. Once the hash is indexed, the
 * movement is shown and the row is removed.
 */
export const pendingTransaction = pgTable(
  "pending_transaction",
  {
    chainId: bigint("chain_id", { mode: "number" }).notNull(),
    hash: hex("hash").notNull(),
    address: hex("address").notNull(),
    kind: text("kind").$type<TransactionKind>().notNull(),
    shortId: text("short_id"),
    /** Decimal string in whole units. */
    amount: text("amount"),
    status: text("status").$type<"pending" | "failed">().notNull(),
    /** True once the node knows the hash, its sender is `address`, and it calls the product. */
    verified: boolean("verified").notNull(),
    /** Nonce of the transaction once the node has shown it. It serves to detect a replacement. */
    nonce: bigint("nonce", { mode: "number" }),
    /** Unix milliseconds. */
    createTime: bigint("create_time", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.hash] }),
    index("pending_transaction_of_wallet").on(table.address, table.createTime),
  ],
);
