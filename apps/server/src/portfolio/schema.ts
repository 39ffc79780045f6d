import type { TransactionKind } from "@aqua/sdk/api/portfolio";
import { bigint, boolean, customType, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

const hex = customType<{ data: `0x${string}`; driverData: string }>({ dataType: () => "text" });

/**
 * What a wallet sent and the indexer has not seen yet. A row is a claim, shown to nobody, until the node knows the hash and
 * that `address` sent it; kind, product and amount are then read from its call. Nothing that the announcement says in words
 * is stored. Once the hash is indexed the movement is shown and the row removed.
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
    /** The node knows the hash, its sender is `address`, and it is a call of the product. */
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
