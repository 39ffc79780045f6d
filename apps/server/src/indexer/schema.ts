import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
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
const seconds = (name: string) => bigint(name, { mode: "number" });
/** Position of a row's event in the chain, and its block's time. */
const place = () => ({
  chainId: chainId(),
  block: bigint("block", { mode: "number" }).notNull(),
  logIndex: integer("log_index").notNull(),
  time: seconds("time").notNull(),
});
/** A uint256 or int256 in smallest units. */
const units = (name: string) => numeric(name, { precision: 78, scale: 0, mode: "bigint" });
/**
 * `processed` is what the queue redeemed for a wallet: its money is set aside then, and paid by `claim`. `withdraw` of a
 * receipt is an early exit.
 */
export type MovementKind =
  | "deposit"
  | "withdraw"
  | "transfer_in"
  | "transfer_out"
  | "request"
  | "processed"
  | "claim"
  | "mature"
  | "rollover";
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
    /** Where it was listed. */
    ...place(),
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
    ...place(),
    product: hex("product").notNull(),
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
    ...place(),
    product: hex("product").notNull(),
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
    /** The queue over all time: shares handed in; of these covered by a report; processed. */
    requested: units("requested").notNull().default(sql`0`),
    eligible: units("eligible").notNull().default(sql`0`),
    processed: units("processed").notNull().default(sql`0`),
    /** Assets set aside for what was processed, and of these paid out to claims, over all time. */
    setAside: units("set_aside").notNull().default(sql`0`),
    claimed: units("claimed").notNull().default(sql`0`),
    /** Where deployed money goes; null before one is named. */
    custodian: hex("custodian"),
    /** Part of totalAssets that is never deployed, 18 decimals. */
    buffer: units("buffer").notNull().default(sql`0`),
    /** Performance fee, 18 decimals, and what was taken by it over all time. */
    fee: units("fee").notNull().default(sql`0`),
    feesTaken: units("fees_taken").notNull().default(sql`0`),
    /** Most gain a year, 18 decimals of totalAssets. */
    maxRate: units("max_rate").notNull().default(sql`0`),
    cap: units("cap").notNull(),
    minDeposit: units("min_deposit").notNull(),
    pausedUntil: seconds("paused_until").notNull(),
    /** Until when a loss keeps deposits closed, and until when one is reviewed; 0 when none is. */
    lossUntil: seconds("loss_until").notNull().default(0),
    reviewUntil: seconds("review_until").notNull().default(0),
    /** Until when the product's evidence stands; 0 for a product without devices. */
    evidenceUntil: seconds("evidence_until").notNull().default(0),
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

/** A wallet's position in a product, of either type, after each event that changed it. */
export const position = pgTable(
  "position",
  {
    ...place(),
    wallet: hex("wallet").notNull(),
    product: hex("product").notNull(),
    /** Shares of a demand deposit that earn for the wallet: those it holds and, among them, those in the queue. */
    shares: units("shares").notNull(),
    pending: units("pending").notNull().default(sql`0`),
    /** What the queue has redeemed for it and it has not claimed. */
    claimable: units("claimable").notNull().default(sql`0`),
    claimableShares: units("claimable_shares").notNull().default(sql`0`),
    /** Live receipts of a time deposit. */
    receipts: integer("receipts").notNull().default(0),
    /** Cost of `shares`, or of the live receipts. */
    cost: units("cost").notNull(),
    /** Of a demand deposit: what shares fetched beyond their cost, when they left or were processed. */
    realised: units("realised").notNull(),
    /** Of a time deposit: what gone receipts fetched beyond their cost; below 0 after a penalty. */
    interest: units("interest").notNull().default(sql`0`),
    /** What came in and went out; claimable money is not out yet. */
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

/** What a wallet did or was done for it; a transfer is one row for each side. */
export const movement = pgTable(
  "movement",
  {
    ...place(),
    wallet: hex("wallet").notNull(),
    product: hex("product").notNull(),
    hash: hex("hash").notNull(),
    kind: text("kind").$type<MovementKind>().notNull(),
    /** What it moved, or was worth. */
    assets: units("assets").notNull(),
    /** 0 with a receipt. */
    shares: units("shares").notNull(),
    /** Share price just before, 18 decimals; null with a receipt, and for a claim, which pays what was set aside. */
    price: units("price"),
    /** The receipt of a time deposit, and with a rollover the new one. */
    receiptId: units("receipt_id"),
    newReceiptId: units("new_receipt_id"),
    /** What an early exit cost of the principal. */
    fee: units("fee").notNull().default(sql`0`),
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
    ...place(),
    product: hex("product").notNull(),
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

/**
 * A withdrawal request, again after each event that gives it to another wallet or makes it payable: `time` is that
 * event's. What is fully processed when a wallet is recovered stays with the wallet that asked.
 */
export const withdrawalRequest = pgTable(
  "queue_place",
  {
    ...place(),
    /** The vault whose shares are queued. */
    product: hex("product").notNull(),
    wallet: hex("wallet").notNull(),
    /** Shares handed in before it. */
    start: units("start").notNull(),
    shares: units("shares").notNull(),
    requestedAt: seconds("requested_at").notNull(),
    /** From when on it is payable; null while no report covers it. */
    payableFrom: seconds("payable_from"),
    hash: hex("hash").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex, table.start] }),
    index("queue_place_line").on(table.chainId, table.product, table.start, table.block, table.logIndex),
    index("queue_place_of_wallet").on(table.wallet, table.chainId, table.product),
  ],
);

/** What one processing of a queue redeemed from its head. */
export const queueBatch = pgTable(
  "queue_batch",
  {
    ...place(),
    product: hex("product").notNull(),
    hash: hex("hash").notNull(),
    /** From 1 on. */
    number: integer("number").notNull(),
    shares: units("shares").notNull(),
    assets: units("assets").notNull(),
    /** All shares processed up to its end. */
    end: units("end").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("queue_batch_line").on(table.chainId, table.product, table.end),
  ],
);

/** The accounts and limits of a time deposit product after each of its events. */
export const termState = pgTable(
  "term_state",
  {
    ...place(),
    product: hex("product").notNull(),
    custodian: hex("custodian").notNull(),
    /** Part of all principal that is never deployed, 18 decimals. */
    buffer: units("buffer").notNull(),
    cap: units("cap").notNull(),
    minDeposit: units("min_deposit").notNull(),
    pausedUntil: seconds("paused_until").notNull(),
    /** Until when the product's evidence stands; 0 for a product without devices. */
    evidenceUntil: seconds("evidence_until").notNull().default(0),
    cash: units("cash").notNull(),
    deployed: units("deployed").notNull(),
    /** Σ principal, and Σ (principal + interest at maturity), of live receipts; in a winding down less what was drawn. */
    principal: units("principal").notNull(),
    liabilities: units("liabilities").notNull(),
    reserved: units("reserved").notNull(),
    /** Σ principal of live receipts whose payment was demanded; early exits leave it. 0 in a winding down. */
    demanded: units("demanded").notNull().default(sql`0`),
    /** Liabilities when a winding down began; 0 while there is none. */
    claims: units("claims").notNull(),
    /** Cash when a winding down began, and what came in since, up to the claims: what these share. */
    received: units("received").notNull(),
    /** Over all time: principal that came in, all that was paid to owners, and losses booked. */
    deposited: units("deposited").notNull(),
    paidOut: units("paid_out").notNull(),
    losses: units("losses").notNull(),
    /** Live receipts, and how many wallets own one. */
    receipts: integer("receipts").notNull(),
    holders: integer("holders").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("term_state_at").on(table.chainId, table.product, table.time, table.block, table.logIndex),
  ],
);

/** A term on offer after each event that changed it; all but `open`, `cap` and `principal` never changes. */
export const term = pgTable(
  "term",
  {
    ...place(),
    product: hex("product").notNull(),
    termId: integer("term_id").notNull(),
    count: integer("count").notNull(),
    /** Index in `timeUnits` of the SDK. */
    unit: integer("unit").notNull(),
    /** A year, 18 decimals. */
    rate: units("rate").notNull(),
    breakRate: units("break_rate").notNull(),
    /** Part of the principal, 18 decimals. */
    penalty: units("penalty").notNull(),
    cap: units("cap").notNull(),
    open: boolean("open").notNull(),
    /** Of its live receipts; in a winding down as it was when that began, as the contract reports it. */
    principal: units("principal").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex, table.termId] }),
    index("term_latest").on(table.chainId, table.product, table.termId, table.block, table.logIndex),
  ],
);

/** A time deposit's receipt after each event that changed it. */
export const receipt = pgTable(
  "receipt",
  {
    ...place(),
    product: hex("product").notNull(),
    receiptId: units("receipt_id").notNull(),
    owner: hex("owner").notNull(),
    termId: integer("term_id").notNull(),
    principal: units("principal").notNull(),
    /** Due at maturity, on top of the principal. */
    interest: units("interest").notNull(),
    openedAt: seconds("opened_at").notNull(),
    maturity: seconds("maturity").notNull(),
    /** Of the transaction that opened it. */
    hash: hex("hash").notNull(),
    /** 1 live, 3 closed, 4 exited early, 5 rolled over, 6 settled. Matured comes by time and is not stored. */
    status: integer("status").notNull(),
    /** At maturity: 0 nothing, 1 the principal starts anew, 2 principal and interest do; and under which term. */
    roll: integer("roll").notNull(),
    rollTermId: integer("roll_term_id").notNull(),
    /** Paid to owners so far, a rollover's principal not among it. */
    paid: units("paid").notNull(),
    /** What its owner gave for it, the principal or its value when it came from elsewhere; less what `claim` gave back. */
    cost: units("cost").notNull(),
    costEstimated: boolean("cost_estimated").notNull(),
    /** Whose place it took by rolling over, and which took its place. */
    rolledFrom: units("rolled_from"),
    rolledTo: units("rolled_to"),
    /** Since when a payment is demanded; null when none is. */
    demandedAt: seconds("demanded_at"),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex, table.receiptId] }),
    index("receipt_latest").on(table.chainId, table.product, table.receiptId, table.block, table.logIndex),
    index("receipt_of_owner").on(table.owner, table.chainId, table.product, table.receiptId),
  ],
);

/** What holders of a role did: settings, roles, money to the custodian. Income reports have a table of their own. */
export const privilegedAct = pgTable(
  "privileged_act",
  {
    ...place(),
    hash: hex("hash").notNull(),
    /** The contract that emitted it; of a product its address. */
    contract: hex("contract").notNull(),
    /** The event's name and arguments, every argument as text: addresses lower case, numbers decimal. */
    name: text("name").notNull(),
    args: jsonb("args").$type<Record<string, string>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("privileged_act_at").on(table.time, table.block, table.logIndex),
  ],
);

/** A wallet's record in the identity registry after each of its events. */
export const identityRecord = pgTable(
  "identity_record",
  {
    ...place(),
    wallet: hex("wallet").notNull(),
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

/** A batch of readings the chain holds. Times in Unix seconds. */
export const anchor = pgTable(
  "anchor",
  {
    ...place(),
    hash: hex("hash").notNull(),
    /** A product's short id, padded to 32 bytes. */
    stream: hex("stream").notNull(),
    number: integer("number").notNull(),
    root: hex("root").notNull(),
    from: seconds("from").notNull(),
    to: seconds("to").notNull(),
    count: integer("count").notNull(),
    dataHash: hex("data_hash").notNull(),
    head: hex("head").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("anchor_of_stream").on(table.chainId, table.stream, table.number),
    index("anchor_by_head").on(table.chainId, table.head),
  ],
);

/** A head of a stream the contract keeps for good. */
export const storedHead = pgTable(
  "kept_head",
  {
    ...place(),
    stream: hex("stream").notNull(),
    number: integer("number").notNull(),
    head: hex("head").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("kept_head_of_stream").on(table.chainId, table.stream, table.number),
  ],
);

/**
 * What happened to a device's keys: one was registered, one that was to come was dropped, or from `valid_from` on there is
 * none. `kind`: 1 P-256, 2 secp256k1, 0 with a revocation, which has no coordinates.
 */
export const deviceKey = pgTable(
  "device_key",
  {
    ...place(),
    device: hex("device").notNull(),
    what: text("what").$type<"registered" | "dropped" | "revoked">().notNull(),
    kind: integer("kind").notNull(),
    x: hex("x"),
    y: hex("y"),
    validFrom: seconds("valid_from").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("device_key_of_device").on(table.chainId, table.device, table.validFrom),
  ],
);
