import { z } from "zod";
import { productDocument } from "./document.ts";
import { address, amount, asOf, chainId, lang, pageQuery, rate, shortId, time, wallets } from "./envelope.ts";

export const productType = z.enum(["demand_deposit", "time_deposit"]);
export type ProductType = z.infer<typeof productType>;
export const productStatus = z.enum(["open", "closed"]);
export type ProductStatus = z.infer<typeof productStatus>;
export const timeUnit = z.enum(["year", "month", "week", "day"]);

const token = z.object({ address, symbol: z.string(), decimals: z.number().int() });

const sharesOf = token.extend({ price: amount, supply: amount });

/** P50 and P90 of how long an exit takes, milliseconds. */
const wait = z.object({ p50: z.number().int().nonnegative(), p90: z.number().int().nonnegative() });

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
  /** price: assets per whole share, 18 decimals, rounded down. Null for a time deposit, whose receipts have no price. */
  share: sharesOf.nullable(),
  /**
   * Variable: net, compounded to a year when `annualised`; with less than 7 days of history the raw return. Fixed: the
   * quoted APY of `term`, over its days.
   */
  apy: z.object({
    value: rate.nullable(),
    window_days: z.number().int(),
    kind: z.enum(["fixed", "variable"]),
    annualised: z.boolean(),
  }),
  /** Of a time deposit the open term that pays most; null where none is open. */
  term: z.object({ value: z.number().int().positive(), unit: timeUnit }).nullable(),
  /** Of a time deposit every open term, shortest first, rates a year; left out of a demand deposit. */
  open_terms: z
    .array(z.object({ value: z.number().int().positive(), unit: timeUnit, rate, apy: rate.nullable() }))
    .optional(),
  /** totalAssets, or Σ (principal + accrued) of live receipts. */
  tvl: amount,
  cap: amount,
  /** What the cap counts: totalAssets, or Σ principal of live receipts, whose interest needs no room. */
  cap_used: amount,
  min_deposit: amount,
  /** What can leave at once, all depositors together. */
  instant_capacity: amount,
  /** Of a typical exit; null while no estimate exists. 0 when everything is idle. */
  wait: wait.nullable(),
  holders: z.number().int().nonnegative(),
  /** Milliseconds from the last income report to `as_of`; null for a time deposit, whose rate is fixed. */
  proof_age: z.number().int().nullable(),
  paused_until: time.nullable(),
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
  report_max_age: z.number().int().nonnegative(),
  last_report: time.nullable(),
  /** Since a loss lowered the price; null while none keeps deposits closed. */
  deposits_closed_until: time.nullable(),
  deployed: amount,
  /** Part of totalAssets that is never deployed, and of a gain that is the operator's fee. */
  buffer: rate,
  fee: rate,
  /** The redemption queue and the shares that wait in it; null where money is never deployed. */
  queue: z.object({ address, shares: amount }).nullable(),
});
export type VaultState = z.infer<typeof vaultState>;

/** A term a time deposit offers. Rates a year. */
export const termOffer = z.object({
  term_id: z.number().int().nonnegative(),
  value: z.number().int().positive(),
  unit: timeUnit,
  rate,
  /** Interest of an early exit, and the part of the principal it costs. */
  break_rate: rate,
  penalty: rate,
  open: z.boolean(),
  cap: amount,
  /** What can still be deposited: what the caps of term and product and the free interest leave. */
  room: amount,
  /** Opened at `as_of`: when it would mature, and its quoted APY. */
  maturity: time,
  apy: rate.nullable(),
});
export type TermOffer = z.infer<typeof termOffer>;

/** The accounts of a time deposit. */
export const termBooks = z.object({
  cash: amount,
  deployed: amount,
  principal: amount,
  /** Σ (principal + interest at maturity) of live receipts; in a winding down less what was drawn. */
  liabilities: amount,
  /** Interest set aside for live receipts, and what is funded beyond it. */
  reserved: amount,
  free_interest: amount,
  /** Assets / liabilities, rounded down; null when nothing is owed. */
  coverage: rate.nullable(),
  losses: amount,
  /** Null unless the product is wound down: what is owed to all, and what they share so far. */
  winding_down: z.object({ claims: amount, received: amount }).nullable(),
  receipts: z.number().int().nonnegative(),
});
export type TermAccounting = z.infer<typeof termBooks>;

const productPage = product.extend({
  description: z.array(z.string()),
  yield_source: z.array(z.string()),
  holder: productDocument.shape.holder.nullable(),
  evidence: productDocument.shape.evidence,
  risks: z.array(productDocument.shape.risks.element),
  metadata_hash: z.string(),
  coordinates: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  contracts: z.array(
    z.object({
      role: z.enum([
        "product",
        "asset",
        "queue",
        "custodian",
        "identity_registry",
        "product_registry",
        "access_manager",
        "telemetry_anchor",
      ]),
      address,
    }),
  ),
  inception: time,
});

export const demandDetail = productPage.extend({
  type: z.literal("demand_deposit"),
  share: sharesOf,
  vault: vaultState,
});
export type DemandDetail = z.infer<typeof demandDetail>;

export const timeDetail = productPage.extend({
  type: z.literal("time_deposit"),
  share: z.null(),
  /** In the order they were added; closed ones too, since receipts refer to them. */
  terms: z.array(termOffer),
  books: termBooks,
});
export type TimeDetail = z.infer<typeof timeDetail>;

export const productDetail = z.discriminatedUnion("type", [demandDetail, timeDetail]);
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
  /** Positions over all products; one wallet in two products counts twice. */
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
  /** Devices seen in the last 24 hours. */
  devices_24h: z.number().int().nonnegative(),
  /** The chain that is furthest behind; stale when any is. */
  as_of: asOf,
});
export type ProductSummary = z.infer<typeof productSummary>;

export const range = z.enum(["7d", "30d", "90d", "1y", "all"]);
export type Range = z.infer<typeof range>;

/** Chart data of /performance/:shortId. */
export const performance = z.object({
  short_id: shortId,
  type: productType,
  /** Null for a time deposit. */
  share_price: amount.nullable(),
  /** By window, null: since inception. Of a time deposit the quoted APY of its terms is in the product instead: empty. */
  apy: z.array(z.object({ window_days: z.number().int().nullable(), value: rate.nullable(), annualised: z.boolean() })),
  /** Within the range; null before the first deposit. */
  max_drawdown: rate.nullable(),
  series: z.array(
    z.object({
      time,
      tvl: amount,
      /** Net of fees, and what it were if no fee had been taken; null for a time deposit. */
      share_price: amount.nullable(),
      gross_price: amount.nullable(),
      /** Of a time deposit: the mean rate of live receipts by principal, and assets / liabilities. */
      rate: rate.nullable(),
      coverage: rate.nullable(),
    }),
  ),
  /** Newest first. `fee`: what the operator took of the gain. */
  reports: z.array(
    z.object({
      time,
      block: z.number().int(),
      hash: z.string(),
      delta: amount,
      fee: amount,
      as_of_time: time,
      evidence_root: z.string(),
      /** The batch of readings whose head it names; null when it names none. */
      anchored: z.object({ number: z.number().int() }).nullable(),
    }),
  ),
  as_of: asOf,
});
export type Performance = z.infer<typeof performance>;

/** An exit of `amount` asked for at `as_of`; null where the past does not say. */
const exitTime = z.object({ amount, wait: wait.nullable() });

/** /liquidity/:shortId. Amounts in units of the asset. */
export const liquidity = z.object({
  short_id: shortId,
  type: productType,
  /** A time deposit that is being wound down, for good: nothing pays at maturity any more. */
  winding_down: z.boolean(),
  instant_capacity: amount,
  idle: amount,
  deployed: amount,
  total_assets: amount,
  /** Income that is idle or deployed but not in the price yet: idle + deployed = total_assets + unstreamed. */
  unstreamed: amount,
  /** The least that stays idle by the operator's rule, a time deposit's reserved interest included; null where none is set. */
  buffer: amount.nullable(),
  /** deployed / (idle + deployed), rounded down; null when there is neither. */
  utilisation: rate.nullable(),
  /** Null without a queue. `value` of the waiting shares at the price of `as_of`. */
  queue: z
    .object({
      requests: z.number().int().nonnegative(),
      shares: amount,
      value: amount,
      /** Of these, what waits only for money: a report came after it was asked for. */
      ready_shares: amount,
      oldest: time.nullable(),
      /** Processed and not yet claimed. */
      claimable: amount,
    })
    .nullable(),
  wait: wait.nullable(),
  /** How past estimates did: the part of `scored` exits within its P50 and P90. One unpaid after its P90 missed both. */
  track_record: z
    .object({ scored: z.number().int(), within_p50: rate.nullable(), within_p90: rate.nullable() })
    .nullable(),
  /** Amount → time to exit, by amount. */
  exit_curve: z.array(exitTime),
  /** What if this part of all deposits asked to leave now. */
  scenarios: z.array(z.object({ part: rate, amount, instant: amount, queued: amount, wait: wait.nullable() })),
  /**
   * By week (Monday, UTC), from this one on for a year at most: what is due back to depositors, and what is expected to
   * come in. None in a winding down.
   */
  weeks: z.array(
    z.object({
      start: time,
      /** Principal and interest of receipts that mature. */
      maturities: amount,
      /** Median of past weeks' net deposits and repayments, of this week the part of it that is left; null without a past. */
      expected_inflow: amount.nullable(),
    }),
  ),
  /** By day over the last 53 weeks, by week before; deposits and withdrawals since the one before. */
  history: z.array(
    z.object({ time, idle: amount, total_assets: amount, deposits: amount, withdrawals: amount, queued: amount }),
  ),
  as_of: asOf,
});
export type Liquidity = z.infer<typeof liquidity>;

/** A place in a redemption queue that is not fully processed. */
export const withdrawalRequest = z.object({
  /** From the head, 1 is next. */
  position: z.number().int().positive(),
  wallet: address,
  requested_at: time,
  hash: z.string(),
  /** What still waits of it, and its value at the price of `as_of`. */
  shares: amount,
  value: amount,
  /** Value of what is ahead of it. */
  ahead: amount,
  /** False until a report comes that is later than the request. */
  ready: z.boolean(),
  wait: wait.nullable(),
});
export type WithdrawalRequest = z.infer<typeof withdrawalRequest>;
/** `wallets`: their places first. */
export const queueQuery = pageQuery.extend({ wallets: wallets.optional() });
