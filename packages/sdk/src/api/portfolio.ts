import { z } from "zod";
import {
  address,
  amount,
  asOf,
  chainId,
  lang,
  pageQuery,
  rate,
  shortId,
  time,
  transactionHash,
  wallets,
} from "./envelope.ts";
import { productStatus, productType, range, timeUnit } from "./product.ts";

/** `also` lists more wallets, which are summed with the wallet in the path. */
export const together = z.object({ also: wallets.optional() });

export const totalHoldValue = z.object({
  address,
  currency: z.literal("USD"),
  /** Unit of the amounts: the symbol of the assets if all are the same, otherwise `currency`. */
  unit: z.string(),
  /** Null, like every amount here, if the audit has an open finding about a row that it depends on. */
  total: amount.nullable(),
  /** The part of `total` that would be paid out now: after penalties, and limited to the available liquidity. */
  exit_value: amount.nullable(),
  /** The part of `total` that can be claimed because a queue has processed it or because it has matured. */
  claimable: amount.nullable(),
  /** The next receipt that matures. Null if there is none. */
  next_cash: z.object({ time, amount, short_id: shortId }).nullable(),
  by_product: z.array(z.object({ short_id: shortId, value: amount.nullable() })),
  as_of: asOf,
});
export type TotalHoldValue = z.infer<typeof totalHoldValue>;

/** Fields of a time deposit's receipt beyond those of every holding. */
const receipt = z.object({
  term: z.object({ value: z.number().int().positive(), unit: timeUnit }),
  term_id: z.number().int(),
  rate: rate.nullable(),
  break_rate: rate.nullable(),
  penalty: rate.nullable(),
  principal: amount.nullable(),
  interest_at_maturity: amount.nullable(),
  matured: z.boolean(),
  /** The instruction for maturity, and the term that it names. */
  roll: z.enum(["none", "principal", "all"]),
  roll_term_id: z.number().int().nullable(),
  /** The time since which payment has been demanded. Null if it has not been demanded. */
  demanded_at: time.nullable(),
  /** The product is being wound down. Its maturity dates and interest no longer apply. */
  winding_down: z.boolean(),
});

/** One wallet's position in one product, or one receipt of a time deposit. Amounts in units of the product's asset. */
export const holding = z.object({
  short_id: shortId,
  /**
   * True if the audit has an open finding about a row that the figures depend on. The amounts and rates are then null.
   */
  withheld: z.boolean(),
  wallet: address,
  name: z.string(),
  type: productType,
  chain_id: z.number().int(),
  symbol: z.string(),
  decimals: z.number().int(),
  /** Shares in the wallet. Shares that wait in the queue are `pending_shares`. Null for a receipt. */
  shares: amount.nullable(),
  /** Number of the receipt. Null for a demand deposit. */
  deposit_id: z.string().nullable(),
  receipt: receipt.nullable(),
  /** Cost of the part that is still held. */
  principal: amount.nullable(),
  /**
   * `previewRedeem` of shares and pending shares at `as_of`, plus the claimable amount. For a receipt, principal and
   * accrued interest.
   */
  value: amount.nullable(),
  /** The amount that would be paid now, after a penalty and limited to the available liquidity. */
  exit_value: amount.nullable(),
  average_cost: amount.nullable(),
  realised: amount.nullable(),
  unrealised: amount.nullable(),
  interest: amount.nullable(),
  apy: rate.nullable(),
  start: time.nullable(),
  maturity: time.nullable(),
  pending_shares: amount.nullable(),
  /** The amount that the queue has set aside for the holding, or that a matured or wound-down receipt pays now. */
  claimable: amount.nullable(),
  /** True if part of the cost is an estimate, namely the value of shares at the time they were transferred in. */
  cost_estimated: z.boolean(),
  as_of: asOf,
});
export type Holding = z.infer<typeof holding>;

export const holdQuery = pageQuery.extend({
  type: productType.optional(),
  status: productStatus.optional(),
  chain_id: chainId.optional(),
  lang,
  also: wallets.optional(),
});

/**
 * `processed`: the queue redeemed shares and the money can be claimed. For a receipt, `withdraw` is an early exit and
 * `mature` is the payment at maturity.
 */
export const transactionKind = z.enum([
  "deposit",
  "withdraw",
  "request",
  "processed",
  "claim",
  "cancel",
  "transfer_in",
  "transfer_out",
  "mature",
  "rollover",
]);
export type TransactionKind = z.infer<typeof transactionKind>;

export const transaction = z.object({
  hash: transactionHash,
  chain_id: z.number().int(),
  block: z.number().int().nullable(),
  log_index: z.number().int().nullable(),
  time,
  address,
  kind: transactionKind,
  short_id: shortId.nullable(),
  symbol: z.string().nullable(),
  amount: amount.nullable(),
  shares: amount.nullable(),
  price: amount.nullable(),
  /** The part of the principal that an early exit costs. */
  fee: amount.nullable(),
  deposit_id: z.string().nullable(),
  status: z.enum(["pending", "confirmed", "failed"]),
  description: z.string(),
});
export type Transaction = z.infer<typeof transaction>;

export const transactionQuery = pageQuery.extend({
  kind: transactionKind.optional(),
  short_id: shortId.optional(),
  chain_id: chainId.optional(),
  from: z.coerce.number().int().nonnegative().optional(),
  to: z.coerce.number().int().nonnegative().optional(),
  also: wallets.optional(),
});

/** `hash` selects everything that one transaction did in the product, including both sides of each transfer. */
export const productTransactionQuery = transactionQuery
  .omit({ short_id: true, chain_id: true })
  .extend({ hash: transactionHash.optional() });

/** `profit = value + out − in` holds exactly in every row and in the totals. */
export const totalProfit = z.object({
  total: amount,
  realised: amount,
  unrealised: amount,
  interest: amount,
  net_deposits: amount,
  value: amount,
  money_weighted_return: rate.nullable(),
  series: z.array(z.object({ time, value: amount, net_deposits: amount, profit: amount })),
  as_of: asOf,
});
export type TotalProfit = z.infer<typeof totalProfit>;
export const profitQuery = together.extend({ range: range.default("all") });

export const requestsQuery = together.extend({ lang });

/** A request in a redemption queue that is not fully processed, oldest first. */
export const redemptionRequest = z.object({
  short_id: shortId,
  name: z.string(),
  chain_id: z.number().int(),
  wallet: address,
  symbol: z.string(),
  decimals: z.number().int(),
  requested_at: time,
  hash: transactionHash,
  /** Requested shares, and the shares that still wait. */
  shares: amount,
  pending_shares: amount,
  /** Value of the waiting shares, and value of the requests ahead, at the price of `as_of`. */
  value: amount,
  ahead: amount,
  /** Counted from the head of the queue; 1 is next. */
  position: z.number().int().positive(),
  /** The time from which it is payable. Null if no income report covers it yet. */
  payable_from: time.nullable(),
  /** True if it waits only for money. */
  ready: z.boolean(),
  wait: z.object({ p50: z.number().int(), p90: z.number().int() }).nullable(),
  as_of: asOf,
});
export type RedemptionRequest = z.infer<typeof redemptionRequest>;

/** The holding in one product at one moment of a statement. */
const balance = z.object({
  /** Shares, including waiting ones. Null for a time deposit. */
  shares: amount.nullable(),
  /** Principal of live receipts. Null for a demand deposit. */
  principal: amount.nullable(),
  claimable: amount,
  /** Shares at the price of that moment, or principal and accrued interest. Claimable money is included. */
  value: amount,
});

export const statementLine = z.object({
  time,
  block: z.number().int(),
  log_index: z.number().int(),
  hash: transactionHash,
  wallet: address,
  kind: transactionKind,
  deposit_id: z.string().nullable(),
  amount,
  shares: amount.nullable(),
  price: amount.nullable(),
  fee: amount,
  description: z.string(),
  /**
   * The amounts that the line brought in or took out. 0 if the money stays within the statement: it moved into the
   * queue, was set aside by it, rolled over, or was sent between two of the statement's wallets.
   */
  paid_in: amount,
  paid_out: amount,
  /** Earnings since the previous line: value before + paid_in − paid_out + earned = value after. */
  earned: amount,
  /** The balance right after the line's transaction. */
  balance,
});
export type StatementLine = z.infer<typeof statementLine>;

/** In every product, exactly: closing.value = opening.value + paid_in − paid_out + earned. */
export const statement = z.object({
  wallets: z.array(address),
  from: time,
  to: time,
  products: z.array(
    z.object({
      short_id: shortId,
      name: z.string(),
      type: productType,
      chain_id: z.number().int(),
      symbol: z.string(),
      decimals: z.number().int(),
      opening: balance,
      closing: balance,
      paid_in: amount,
      paid_out: amount,
      earned: amount,
      lines: z.array(statementLine),
    }),
  ),
  as_of: asOf,
});
export type Statement = z.infer<typeof statement>;
/** Unix milliseconds. `from` is inclusive; `to` is exclusive and at most `as_of`. */
export const statementQuery = together.extend({
  from: z.coerce.number().int().nonnegative(),
  to: z.coerce.number().int().nonnegative(),
  format: z.enum(["csv", "json"]).default("json"),
  short_id: shortId.optional(),
  lang,
});

/**
 * The hash and the sender. The server reads kind, product and amount from the transaction itself. The client's values
 * are used only in the sender's browser.
 */
export const pendingTransactionBody = z.object({
  hash: transactionHash,
  chain_id: z.number().int().positive(),
  address,
  kind: transactionKind,
  short_id: shortId.optional(),
  amount: amount.optional(),
  description: z
    .string({ error: "Transaction must have a description" })
    .min(1, "Transaction must have a description")
    .max(280),
});
export type PendingTransactionBody = z.infer<typeof pendingTransactionBody>;
export const pendingTransactionQuery = pageQuery.extend({ address, chain_id: chainId.optional() });
