import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

/**
 * What the chain's events say. Every row that comes from an event is appended once under (chain_id, block, log_index)
 * and never changed: state is kept in versions, the current one is the latest, and undoing blocks is a delete.
 * Times are Unix seconds of the block, as the chain gives them. Addresses and hashes are lower case.
 */

const chainId = () => bigint("chain_id", { mode: "number" }).notNull();
const block = () => bigint("block", { mode: "number" }).notNull();
const logIndex = () => integer("log_index").notNull();
const seconds = (name: string) => bigint(name, { mode: "number" });
/** A uint256 or int256 in smallest units. */
const units = (name: string) => numeric(name, { precision: 78, scale: 0, mode: "bigint" });
const hex = customType<{ data: `0x${string}`; driverData: string }>({ dataType: () => "text" });

export const chainCursor = pgTable("chain_cursor", {
  chainId: bigint("chain_id", { mode: "number" }).primaryKey(),
  /** The registry these rows were read through; another one means other rows. */
  productRegistry: hex("product_registry").notNull(),
  /** The last block that is applied; null before the first. */
  block: bigint("block", { mode: "number" }),
  hash: hex("hash"),
  time: seconds("time"),
  /** Last head the writer saw, and what it was doing, for the processes that only serve. */
  head: bigint("head", { mode: "number" }),
  headTime: seconds("head_time"),
  state: text("state").notNull(),
  /** Every write is made under the epoch its writer took: who was overtaken cannot write any more. */
  epoch: bigint("epoch", { mode: "number" }).notNull(),
  leaseOwner: uuid("lease_owner"),
  leaseUntil: timestamp("lease_until", { withTimezone: true, mode: "date" }),
});

/** Hashes of recent blocks, with gaps where a range held no event: how far back a reorg can be followed. */
export const chainBlock = pgTable(
  "block",
  {
    chainId: chainId(),
    number: bigint("number", { mode: "number" }).notNull(),
    hash: hex("hash").notNull(),
    time: seconds("time").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.number] })],
);

export const product = pgTable(
  "product",
  {
    chainId: chainId(),
    address: hex("address").notNull(),
    shortId: text("short_id").notNull(),
    /** 0 demand deposit, 1 time deposit. */
    productType: integer("product_type").notNull(),
    asset: hex("asset").notNull(),
    assetSymbol: text("asset_symbol").notNull(),
    assetDecimals: integer("asset_decimals").notNull(),
    shareName: text("share_name").notNull(),
    shareSymbol: text("share_symbol").notNull(),
    shareDecimals: integer("share_decimals").notNull(),
    /** Where it was listed. */
    block: block(),
    logIndex: logIndex(),
    time: seconds("time").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.address] }),
    index("product_short_id").on(table.shortId),
    index("product_block").on(table.chainId, table.block),
  ],
);

/** A product's line in the registry after each event that changed it. */
export const productState = pgTable(
  "product_state",
  {
    chainId: chainId(),
    block: block(),
    logIndex: logIndex(),
    product: hex("product").notNull(),
    time: seconds("time").notNull(),
    /** 0 open, 1 closed. */
    status: integer("status").notNull(),
    metadataHash: hex("metadata_hash").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("product_state_latest").on(table.chainId, table.product, table.block, table.logIndex),
  ],
);

/** A vault after each of its events. totalAssets(t) = settled + streaming·(t − start)/(end − start), clamped, floor. */
export const vaultState = pgTable(
  "vault_state",
  {
    chainId: chainId(),
    block: block(),
    logIndex: logIndex(),
    product: hex("product").notNull(),
    time: seconds("time").notNull(),
    supply: units("supply").notNull(),
    /** Negative once withdrawals have taken part of what was streamed. */
    settled: units("settled").notNull(),
    streaming: units("streaming").notNull(),
    streamStart: seconds("stream_start").notNull(),
    streamEnd: seconds("stream_end").notNull(),
    /** Assets with the custodian, part of what `settled` and `streaming` count. */
    deployed: units("deployed").notNull().default(sql`0`),
    /** The redemption queue and the shares it holds; null before one is set. */
    queue: hex("queue"),
    queued: units("queued").notNull().default(sql`0`),
    cap: units("cap").notNull(),
    minDeposit: units("min_deposit").notNull(),
    pausedUntil: seconds("paused_until").notNull(),
    vestingTime: seconds("vesting_time").notNull(),
    maxReportAge: seconds("max_report_age").notNull(),
    /** The moment income is reported up to; at first the creation of the vault. */
    reportAsOf: seconds("report_as_of").notNull(),
    /** Block time of the last report; null before the first. */
    reportTime: seconds("report_time"),
    /** Everything ever deposited and withdrawn, and how many wallets hold shares now. */
    deposited: units("deposited").notNull(),
    withdrawn: units("withdrawn").notNull(),
    holders: integer("holders").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("vault_state_at").on(table.chainId, table.product, table.time, table.block, table.logIndex),
  ],
);

/** A wallet's stake in a product after each movement of its shares. */
export const position = pgTable(
  "position",
  {
    chainId: chainId(),
    block: block(),
    logIndex: logIndex(),
    wallet: hex("wallet").notNull(),
    product: hex("product").notNull(),
    time: seconds("time").notNull(),
    shares: units("shares").notNull(),
    cost: units("cost").notNull(),
    realised: units("realised").notNull(),
    totalIn: units("total_in").notNull(),
    totalOut: units("total_out").notNull(),
    costEstimated: boolean("cost_estimated").notNull(),
    /** When the shares held now began to be held; null while none are. */
    since: seconds("since"),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex, table.wallet] }),
    index("position_at").on(table.wallet, table.chainId, table.product, table.time, table.block, table.logIndex),
  ],
);

/** Shares that came to or left a wallet; a transfer is one row for each side. */
export const movement = pgTable(
  "movement",
  {
    chainId: chainId(),
    block: block(),
    logIndex: logIndex(),
    wallet: hex("wallet").notNull(),
    product: hex("product").notNull(),
    time: seconds("time").notNull(),
    hash: hex("hash").notNull(),
    kind: text("kind").$type<"deposit" | "withdraw" | "transfer_in" | "transfer_out">().notNull(),
    assets: units("assets").notNull(),
    shares: units("shares").notNull(),
    /** Share price just before, 18 decimals. */
    price: units("price").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex, table.wallet] }),
    index("movement_of_wallet").on(table.wallet, table.time, table.block, table.logIndex),
    index("movement_of_product").on(table.chainId, table.product, table.time, table.block, table.logIndex),
    index("movement_hash").on(table.chainId, table.hash),
  ],
);

export const report = pgTable(
  "report",
  {
    chainId: chainId(),
    block: block(),
    logIndex: logIndex(),
    product: hex("product").notNull(),
    time: seconds("time").notNull(),
    hash: hex("hash").notNull(),
    delta: units("delta").notNull(),
    asOf: seconds("as_of").notNull(),
    evidenceRoot: hex("evidence_root").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("report_of_product").on(table.chainId, table.product, table.time),
  ],
);

/** A wallet's record in the identity registry after each of its events. */
export const identityRecord = pgTable(
  "identity_record",
  {
    chainId: chainId(),
    block: block(),
    logIndex: logIndex(),
    wallet: hex("wallet").notNull(),
    time: seconds("time").notNull(),
    /** 128 bits, as the registry writes it: 0x and 32 digits. */
    subject: hex("subject").notNull(),
    /** A uint64 an attester may set to "never": too large for a number. */
    validUntil: units("valid_until").notNull(),
    country: integer("country").notNull(),
    tier: integer("tier").notNull(),
    revoked: boolean("revoked").notNull(),
    frozen: boolean("frozen").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("identity_record_latest").on(table.chainId, table.wallet, table.block, table.logIndex),
  ],
);
