import { z } from "zod";
import { address, amount, asOf, chainId, lang, pageQuery, rate, shortId, time, transactionHash } from "./envelope.ts";
import { productStatus, productType, range } from "./product.ts";

export const totalHoldValue = z.object({
  address,
  currency: z.literal("USD"),
  total: amount,
  claimable: amount,
  by_product: z.array(z.object({ short_id: shortId, value: amount })),
  as_of: asOf,
});
export type TotalHoldValue = z.infer<typeof totalHoldValue>;

/** One wallet's stake in one product. Amounts in units of the product's asset. */
export const holding = z.object({
  short_id: shortId,
  name: z.string(),
  type: productType,
  chain_id: z.number().int(),
  symbol: z.string(),
  decimals: z.number().int(),
  shares: amount.nullable(),
  deposit_id: z.string().nullable(),
  /** Cost of what is still held. */
  principal: amount,
  /** What `previewRedeem` of the shares answers at `as_of`. */
  value: amount,
  exit_value: amount,
  average_cost: amount.nullable(),
  realised: amount,
  unrealised: amount,
  interest: amount,
  apy: rate.nullable(),
  start: time.nullable(),
  maturity: time.nullable(),
  pending_shares: amount.nullable(),
  claimable: amount.nullable(),
  /** True when part of the cost is the value at receipt of shares that came from elsewhere. */
  cost_estimated: z.boolean(),
  as_of: asOf,
});
export type Holding = z.infer<typeof holding>;

export const holdQuery = pageQuery.extend({
  type: productType.optional(),
  status: productStatus.optional(),
  chain_id: chainId.optional(),
  lang,
});

export const transactionKind = z.enum([
  "deposit",
  "withdraw",
  "request",
  "claim",
  "cancel",
  "transfer_in",
  "transfer_out",
  "mature",
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
});

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
export const profitQuery = z.object({ range: range.default("all") });

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
export const pendingTransactionQuery = z.object({ address, chain_id: chainId.optional() });
