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
 * Tables of the chain's events. Each row that comes from an event is inserted once under (chain_id, block, log_index)
 * and never changed: state is stored in versions, the latest one is current, and undoing blocks is a delete. Times are
 * Unix seconds of the block, as the chain reports them. Addresses and hashes are lower case.
 */

const chainId = () => bigint("chain_id", { mode: "number" }).notNull();
const seconds = (name: string) => bigint(name, { mode: "number" });
/** Position of a row's event in the chain, and the time of its block. */
const place = () => ({
  chainId: chainId(),
  block: bigint("block", { mode: "number" }).notNull(),
  logIndex: integer("log_index").notNull(),
  time: seconds("time").notNull(),
});
/** A uint256 or int256 in smallest units. */
const units = (name: string) => numeric(name, { precision: 78, scale: 0, mode: "bigint" });
/**
 * `processed`: the queue redeemed shares of the wallet and set their money aside; `claim` pays it. `withdraw` of a
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
  /** The registry these rows were read through. Another registry means other rows. */
  productRegistry: hex("product_registry").notNull(),
  /** The last block that was applied; null before the first. */
  block: bigint("block", { mode: "number" }),
  hash: hex("hash"),
  time: seconds("time"),
  /** The last head the writer saw, and the writer's state, for processes that only serve. */
  head: bigint("head", { mode: "number" }),
  headTime: seconds("head_time"),
  state: text("state").notNull(),
  /** Every write is made under the epoch that its writer took, so a writer that was replaced cannot write any more. */
  epoch: bigint("epoch", { mode: "number" }).notNull(),
  leaseOwner: uuid("lease_owner"),
  leaseUntil: timestamp("lease_until", { withTimezone: true, mode: "date" }),
});

/** Hashes of recent blocks, with gaps where a range held no event. They limit how far back a reorg can be followed. */
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
    /** Position of the event that listed the product. */
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

/** A product's entry in the registry after each event that changed it. */
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
    /** Negative after withdrawals have taken part of the streamed amount. */
    settled: units("settled").notNull(),
    streaming: units("streaming").notNull(),
    streamStart: seconds("stream_start").notNull(),
    streamEnd: seconds("stream_end").notNull(),
    /** Assets with the custodian, included in `settled` and `streaming`. */
    deployed: units("deployed").notNull().default(sql`0`),
    /** The redemption queue and the shares it holds; null before one is set. */
    queue: hex("queue"),
    queued: units("queued").notNull().default(sql`0`),
    /** Shares in the queue over all time: requested, covered by a report (`eligible`), and processed. */
    requested: units("requested").notNull().default(sql`0`),
    eligible: units("eligible").notNull().default(sql`0`),
    processed: units("processed").notNull().default(sql`0`),
    /** Assets set aside for processed shares, and the part of them paid by claims, over all time. */
    setAside: units("set_aside").notNull().default(sql`0`),
    claimed: units("claimed").notNull().default(sql`0`),
    /** Receiver of deployed money; null before one is named. */
    custodian: hex("custodian"),
    /** Part of totalAssets that is never deployed, 18 decimals. */
    buffer: units("buffer").notNull().default(sql`0`),
    /** Performance fee, 18 decimals, and the sum of all fees taken, over all time. */
    fee: units("fee").notNull().default(sql`0`),
    feesTaken: units("fees_taken").notNull().default(sql`0`),
    /** Highest gain a year, as a part of totalAssets, 18 decimals. */
    maxRate: units("max_rate").notNull().default(sql`0`),
    cap: units("cap").notNull(),
    minDeposit: units("min_deposit").notNull(),
    pausedUntil: seconds("paused_until").notNull(),
    /** End of the closure of deposits after a loss, and end of the review of a loss; 0 when there is none. */
    lossUntil: seconds("loss_until").notNull().default(0),
    reviewUntil: seconds("review_until").notNull().default(0),
    /** End of the validity of the product's evidence; 0 for a product without devices. */
    evidenceUntil: seconds("evidence_until").notNull().default(0),
    vestingTime: seconds("vesting_time").notNull(),
    maxReportAge: seconds("max_report_age").notNull(),
    /** Income is reported up to this time; at first the creation of the vault. */
    reportAsOf: seconds("report_as_of").notNull(),
    /** Block time of the last report; null before the first. */
    reportTime: seconds("report_time"),
    /** Assets deposited and withdrawn over all time, and the number of wallets that hold shares now. */
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
    /**
     * Shares of a demand deposit that earn for the wallet: `shares` includes those in the queue, `pending` counts only
     * these.
     */
    shares: units("shares").notNull(),
    pending: units("pending").notNull().default(sql`0`),
    /** Assets and shares that the queue has redeemed for the wallet and that it has not claimed. */
    claimable: units("claimable").notNull().default(sql`0`),
    claimableShares: units("claimable_shares").notNull().default(sql`0`),
    /** Number of live receipts of a time deposit. */
    receipts: integer("receipts").notNull().default(0),
    /** Cost of `shares`, or of the live receipts. */
    cost: units("cost").notNull(),
    /** Gain of a demand deposit: proceeds above the cost of shares that left or were processed. */
    realised: units("realised").notNull(),
    /** Gain of a time deposit: proceeds above the cost of receipts that ended; below 0 after a penalty. */
    interest: units("interest").notNull().default(sql`0`),
    /** Assets that came in and went out. Claimable money still counts as in. */
    totalIn: units("total_in").notNull(),
    totalOut: units("total_out").notNull(),
    costEstimated: boolean("cost_estimated").notNull(),
    /** Start of the current holding; null while the wallet holds nothing. */
    since: seconds("since"),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex, table.wallet] }),
    index("position_at").on(table.wallet, table.chainId, table.product, table.time, table.block, table.logIndex),
  ],
);

/** An action of a wallet, or one done for it. A transfer is one row for each side. */
export const movement = pgTable(
  "movement",
  {
    ...place(),
    wallet: hex("wallet").notNull(),
    product: hex("product").notNull(),
    hash: hex("hash").notNull(),
    kind: text("kind").$type<MovementKind>().notNull(),
    /** Assets moved, or their value. */
    assets: units("assets").notNull(),
    /** 0 for a receipt. */
    shares: units("shares").notNull(),
    /**
     * Share price just before the event, 18 decimals; null for a receipt, and for a claim, which pays the money that
     * was set aside.
     */
    price: units("price"),
    /** The receipt of a time deposit; for a rollover also the new receipt. */
    receiptId: units("receipt_id"),
    newReceiptId: units("new_receipt_id"),
    /** Part of the principal that an early exit cost. */
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
 * A withdrawal request, with a new row after each event that moves it to another wallet or makes it payable; `time` is
 * the time of that event. A request that was fully processed when its wallet is recovered stays with the wallet that
 * made it.
 */
export const withdrawalRequest = pgTable(
  "queue_place",
  {
    ...place(),
    /** The vault whose shares are queued. */
    product: hex("product").notNull(),
    wallet: hex("wallet").notNull(),
    /** Shares requested before it. */
    start: units("start").notNull(),
    shares: units("shares").notNull(),
    requestedAt: seconds("requested_at").notNull(),
    /** Time from which it is payable; null while no report covers it. */
    payableFrom: seconds("payable_from"),
    hash: hex("hash").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex, table.start] }),
    index("queue_place_line").on(table.chainId, table.product, table.start, table.block, table.logIndex),
    index("queue_place_of_wallet").on(table.wallet, table.chainId, table.product),
  ],
);

/** Result of one processing of a queue: the amount redeemed from its head. */
export const queueBatch = pgTable(
  "queue_batch",
  {
    ...place(),
    product: hex("product").notNull(),
    hash: hex("hash").notNull(),
    /** Counts from 1. */
    number: integer("number").notNull(),
    shares: units("shares").notNull(),
    assets: units("assets").notNull(),
    /** Shares processed over all time, up to the end of this batch. */
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
    /** End of the validity of the product's evidence; 0 for a product without devices. */
    evidenceUntil: seconds("evidence_until").notNull().default(0),
    cash: units("cash").notNull(),
    deployed: units("deployed").notNull(),
    /**
     * Σ principal of live receipts, and Σ (principal + interest at maturity). In a winding down `liabilities` is less
     * by the amounts drawn.
     */
    principal: units("principal").notNull(),
    liabilities: units("liabilities").notNull(),
    reserved: units("reserved").notNull(),
    /** Liabilities when a winding down began; 0 while there is none. */
    claims: units("claims").notNull(),
    /** Cash at the start of a winding down plus the cash that came in since, at most `claims`. The claims share it. */
    received: units("received").notNull(),
    /** Over all time: principal that came in, payments to owners, and losses booked. */
    deposited: units("deposited").notNull(),
    paidOut: units("paid_out").notNull(),
    losses: units("losses").notNull(),
    /** Number of live receipts, and of wallets that own one. */
    receipts: integer("receipts").notNull(),
    holders: integer("holders").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("term_state_at").on(table.chainId, table.product, table.time, table.block, table.logIndex),
  ],
);

/** An offered term after each event that changed it. Only `open`, `cap` and `principal` ever change. */
export const term = pgTable(
  "term",
  {
    ...place(),
    product: hex("product").notNull(),
    termId: integer("term_id").notNull(),
    count: integer("count").notNull(),
    /** Index in `timeUnits` of the SDK. */
    unit: integer("unit").notNull(),
    /** Rate a year, 18 decimals. */
    rate: units("rate").notNull(),
    breakRate: units("break_rate").notNull(),
    /** Part of the principal, 18 decimals. */
    penalty: units("penalty").notNull(),
    cap: units("cap").notNull(),
    open: boolean("open").notNull(),
    /**
     * Σ principal of the term's live receipts. In a winding down the value at its start, as the contract reports it.
     */
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
    /** Interest due at maturity, on top of the principal. */
    interest: units("interest").notNull(),
    openedAt: seconds("opened_at").notNull(),
    maturity: seconds("maturity").notNull(),
    /** Hash of the transaction that opened the receipt. */
    hash: hex("hash").notNull(),
    /**
     * 1 live, 3 closed, 4 exited early, 5 rolled over, 6 settled. "Matured" follows from the time and is not stored.
     */
    status: integer("status").notNull(),
    /**
     * At maturity: 0 no rollover, 1 the principal rolls over, 2 principal and interest roll over; and the term used for
     * it.
     */
    roll: integer("roll").notNull(),
    rollTermId: integer("roll_term_id").notNull(),
    /** Paid to owners so far, without the principal of a rollover. */
    paid: units("paid").notNull(),
    /**
     * Cost to its owner: the principal, or its value at the transfer when it came from another account; less the cost
     * that payments of `claim` returned.
     */
    cost: units("cost").notNull(),
    costEstimated: boolean("cost_estimated").notNull(),
    /** The receipt it replaced by rolling over, and the receipt that replaced it. */
    rolledFrom: units("rolled_from"),
    rolledTo: units("rolled_to"),
    /** Time of the latest demand for payment; null when there is none. */
    demandedAt: seconds("demanded_at"),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex, table.receiptId] }),
    index("receipt_latest").on(table.chainId, table.product, table.receiptId, table.block, table.logIndex),
    index("receipt_at").on(table.chainId, table.product, table.time),
    index("receipt_of_owner").on(table.owner, table.chainId, table.product, table.receiptId),
  ],
);

/** Acts of holders of a role: settings, roles, money to the custodian. Income reports have a table of their own. */
export const privilegedAct = pgTable(
  "privileged_act",
  {
    ...place(),
    hash: hex("hash").notNull(),
    /** The contract that emitted the event; for a product its address. */
    contract: hex("contract").notNull(),
    /** Name and arguments of the event. Every argument is text: addresses in lower case, numbers in decimal. */
    name: text("name").notNull(),
    args: jsonb("args").$type<Record<string, string>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.block, table.logIndex] }),
    index("privileged_act_at").on(table.time, table.block, table.logIndex),
    index("privileged_act_of_loss")
      .on(table.chainId, table.contract, table.block, table.logIndex)
      .where(sql`${table.name} like 'TermLoss%'`),
  ],
);

/** A wallet's record in the identity registry after each of its events. */
export const identityRecord = pgTable(
  "identity_record",
  {
    ...place(),
    wallet: hex("wallet").notNull(),
    /** 128 bits, as the registry writes them: 0x and 32 digits. */
    subject: hex("subject").notNull(),
    /** A uint64, which an attester may set to "never": too large for a number. */
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

/** A batch of readings anchored on chain. Times in Unix seconds. */
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

/** A head of a stream that the contract stores permanently. */
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
 * A change to a device's keys: a key was registered, a future key was dropped, or the device has no key from
 * `valid_from` on. `kind`: 1 P-256, 2 secp256k1, 0 for a revocation, which has no coordinates.
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
