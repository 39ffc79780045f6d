import { z } from "zod";
import { productDocument } from "./document.ts";
import { address, amount, asOf, chainId, lang, pageQuery, rate, shortId, time } from "./envelope.ts";

export const productType = z.enum(["demand_deposit", "time_deposit"]);
export type ProductType = z.infer<typeof productType>;
export const productStatus = z.enum(["open", "closed"]);
export type ProductStatus = z.infer<typeof productStatus>;
export const timeUnit = z.enum(["year", "month", "week", "day"]);

const token = z.object({ address, symbol: z.string(), decimals: z.number().int() });

/** What a list row and a detail page share; texts in the language asked for. Unknown is null, never 0. Amounts are in units of `asset`. */
export const product = z.object({
  short_id: shortId,
  name: z.string(),
  summary: z.string().nullable(),
  type: productType,
  status: productStatus,
  chain_id: z.number().int(),
  contract: address,
  asset: token,
  /** price: assets per whole share, 18 decimals, rounded down. */
  share: token.extend({ price: amount, supply: amount }),
  /** Net, compounded to a year when `annualised`; with less than 7 days of history the raw return. */
  apy: z.object({
    value: rate.nullable(),
    window_days: z.number().int(),
    kind: z.enum(["fixed", "variable"]),
    annualised: z.boolean(),
  }),
  term: z.object({ value: z.number().int().positive(), unit: timeUnit }).nullable(),
  tvl: amount,
  cap: amount,
  min_deposit: amount,
  instant_capacity: amount,
  /** Milliseconds until a typical exit is paid; null while no estimate exists. 0 when everything is idle. */
  wait: z.object({ p50: z.number().int(), p90: z.number().int() }).nullable(),
  holders: z.number().int().nonnegative(),
  /** Milliseconds from the last income report to `as_of`. */
  proof_age: z.number().int().nullable(),
  location: z.string().nullable(),
  asset_class: z.string().nullable(),
  image: z.string().nullable(),
  /** The same texts in English where another language is shown, so that a search finds the product by either. */
  base: z
    .object({
      name: z.string(),
      summary: z.string(),
      location: z.string(),
      asset_class: z.string(),
    })
    .nullable(),
  as_of: asOf,
});
export type Product = z.infer<typeof product>;

/** Everything a preview needs to agree with the contract to the last unit. Units: whole assets, whole shares, ms. */
export const vaultState = z.object({
  settled: amount,
  streaming: amount,
  stream_start: time,
  stream_end: time,
  supply: amount,
  paused_until: time.nullable(),
  report_max_age: z.number().int().nonnegative(),
  last_report: time.nullable(),
});
export type VaultState = z.infer<typeof vaultState>;

export const productDetail = product.extend({
  description: z.array(z.string()),
  yield_source: z.array(z.string()),
  holder: productDocument.shape.holder.nullable(),
  evidence: productDocument.shape.evidence,
  risks: z.array(productDocument.shape.risks.element),
  metadata_hash: z.string(),
  coordinates: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  vault: vaultState,
  contracts: z.array(
    z.object({
      role: z.enum(["product", "asset", "identity_registry", "product_registry", "access_manager"]),
      address,
    }),
  ),
  inception: time,
});
export type ProductDetail = z.infer<typeof productDetail>;

export const productListQuery = pageQuery.extend({
  type: productType.optional(),
  status: productStatus.optional(),
  chain_id: chainId.optional(),
  sort: z.enum(["apy", "tvl", "name", "newest"]).default("tvl"),
  q: z.string().max(80).optional(),
  lang,
});
export type ProductListQuery = z.input<typeof productListQuery>;

/** Figures over every product of an instance. Amounts by unit, so that no two currencies are added. */
export const productSummary = z.object({
  /** Products that take deposits. */
  open: z.number().int().nonnegative(),
  /** Stakes over all products; one wallet in two products counts twice. */
  positions: z.number().int().nonnegative(),
  totals: z.array(
    z.object({
      symbol: z.string(),
      deposits: amount,
      /** Gains less losses reported since the first report; null before it. */
      income: amount.nullable(),
    }),
  ),
  /** Block time of the newest income report; null before the first. */
  last_report: time.nullable(),
  /** The chain that is furthest behind; stale when any is. */
  as_of: asOf,
});
export type ProductSummary = z.infer<typeof productSummary>;

export const range = z.enum(["7d", "30d", "90d", "1y", "all"]);
export type Range = z.infer<typeof range>;

/** Chart data of /performance/:shortId. */
export const performance = z.object({
  short_id: shortId,
  share_price: amount,
  apy: z.array(z.object({ window_days: z.number().int().nullable(), value: rate.nullable(), annualised: z.boolean() })),
  max_drawdown: rate,
  series: z.array(z.object({ time, share_price: amount, tvl: amount })),
  reports: z.array(
    z.object({
      time,
      block: z.number().int(),
      hash: z.string(),
      delta: amount,
      as_of_time: time,
      evidence_root: z.string(),
    }),
  ),
  as_of: asOf,
});
export type Performance = z.infer<typeof performance>;

/** First form of /liquidity/:shortId: every asset is idle until money is deployed to a custodian. */
export const liquidity = z.object({
  short_id: shortId,
  instant_capacity: amount,
  idle: amount,
  total_assets: amount,
  history: z.array(z.object({ time, idle: amount, total_assets: amount, deposits: amount, withdrawals: amount })),
  as_of: asOf,
});
export type Liquidity = z.infer<typeof liquidity>;
