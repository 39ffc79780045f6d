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
/** Time for an exit of `amount` requested at `as_of`; null where the history is too short. */
const exitTime = z.object({ amount, wait: wait.nullable() });

/**
 * Fields shared by a list row and a detail page; texts in the requested language. Unknown is null, never 0. Amounts are in
 * units of `asset`.
 */
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
  /** For a time deposit the open term with the highest rate; null when none is open. */
  term: z.object({ value: z.number().int().positive(), unit: timeUnit }).nullable(),
  /** For a time deposit every open term, shortest first, with yearly rates; absent for a demand deposit. */
  open_terms: z
    .array(z.object({ value: z.number().int().positive(), unit: timeUnit, rate, apy: rate.nullable() }))
    .optional(),
  /** totalAssets, or Σ (principal + accrued interest) of live receipts. */
  tvl: amount,
  cap: amount,
  /** The amount that counts towards the cap: totalAssets, or Σ principal of live receipts (without their interest). */
  cap_used: amount,
  min_deposit: amount,
  /** The amount that all depositors together can withdraw immediately. */
  instant_capacity: amount,
  /** For a typical exit; null without an estimate, 0 when everything is idle. */
  wait: wait.nullable(),
  /** Where the money is and what it costs, by the contract at `as_of`. */
  conditions: z.object({
    /** In the contract, and with the custodian by the operator's books. */
    cash: amount,
    deployed: amount,
    /** The operator's part of gains above the highest price so far; null for a time deposit. */
    performance_fee: rate.nullable(),
    /** Milliseconds over which a reported gain is added to the price at least; null for a time deposit. */
    vesting: z.number().int().nullable(),
    /** Among open terms: the lowest yearly rate of an early withdrawal, and the largest part of the principal it costs. */
    early_withdrawal: z.object({ rate, penalty: rate }).nullable(),
  }),
  holders: z.number().int().nonnegative(),
  /** Milliseconds from the last income report to `as_of`; null for a time deposit, whose rate is fixed. */
  proof_age: z.number().int().nullable(),
  paused_until: time.nullable(),
  location: z.string().nullable(),
  asset_class: z.string().nullable(),
  image: z.string().nullable(),
  /** Countries to whose residents it is not offered, by the product's document. */
  closed_to: z.array(z.string()),
  /** The English texts, where another language is shown, so that a search matches either. */
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

/** Everything a preview needs to match the contract to the last unit. Units: whole assets, whole shares, ms. */
export const vaultState = z.object({
  settled: amount,
  streaming: amount,
  stream_start: time,
  stream_end: time,
  supply: amount,
  report_max_age: z.number().int().nonnegative(),
  last_report: time.nullable(),
  /** End of the deposit pause after a loss lowered the price; null when there is none. */
  deposits_closed_until: time.nullable(),
  /** Until when a large loss may be confirmed or taken back; exits, processing and reports wait. Null when none is. */
  loss_reviewed_until: time.nullable(),
  /** Until when the product's evidence stands; null for a product without devices. */
  evidence_until: time.nullable(),
  deployed: amount,
  /** Fractions: of totalAssets that is never deployed, and of a gain that is the operator's fee. */
  buffer: rate,
  fee: rate,
  /** The redemption queue and the shares waiting in it; null where money is never deployed. */
  queue: z.object({ address, shares: amount }).nullable(),
});
export type VaultState = z.infer<typeof vaultState>;

/** A term that a time deposit offers. Rates are yearly. */
export const termOffer = z.object({
  term_id: z.number().int().nonnegative(),
  value: z.number().int().positive(),
  unit: timeUnit,
  rate,
  /** Interest rate of an early exit, and the part of the principal that it costs. */
  break_rate: rate,
  penalty: rate,
  open: z.boolean(),
  cap: amount,
  /** The amount that can still be deposited within the caps of term and product and the free interest. */
  room: amount,
  /** If opened at `as_of`: when it would mature, and its quoted APY. */
  maturity: time,
  apy: rate.nullable(),
});
export type TermOffer = z.infer<typeof termOffer>;

/** The accounts of a time deposit. */
export const termBooks = z.object({
  cash: amount,
  deployed: amount,
  principal: amount,
  /** Σ (principal + interest at maturity) of live receipts; when wound down, less what was drawn. */
  liabilities: amount,
  /** Interest set aside for live receipts, and what is funded beyond it. */
  reserved: amount,
  free_interest: amount,
  /** Assets / liabilities, rounded down; null when nothing is owed. */
  coverage: rate.nullable(),
  losses: amount,
  /** Null unless the product is wound down: total claims, and what has been received for them so far. */
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
  /** Auditor of the contracts, from the product's document; null: not audited. */
  contract_audit: productDocument.shape.contract_audit,
  /**
   * Income of the last twelve calendar months (UTC), oldest first and the current one so far; none before `inception`.
   * Reported gains less losses; of a time deposit the interest reserved for the receipts opened in it.
   */
  income_months: z.array(z.object({ start: time, amount })),
});

export const demandDetail = productPage.extend({
  type: z.literal("demand_deposit"),
  share: sharesOf,
  vault: vaultState,
  /** Largest fall of the share price from a peak since `inception`; null before the first deposit. */
  max_drawdown: rate.nullable(),
  /** Time to exit by amount, ascending. */
  exit_curve: z.array(exitTime),
});
export type DemandDetail = z.infer<typeof demandDetail>;

export const timeDetail = productPage.extend({
  type: z.literal("time_deposit"),
  share: z.null(),
  /** Until when the product's evidence stands; null for a product without devices. */
  evidence_until: time.nullable(),
  /** In the order they were added; includes closed terms, since receipts refer to them. */
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

/** Figures over every product of an instance. Amounts are grouped by unit, so that currencies are never mixed. */
export const productSummary = z.object({
  /** Products that take deposits. */
  open: z.number().int().nonnegative(),
  /** Positions over all products; one wallet in two products counts twice. */
  positions: z.number().int().nonnegative(),
  totals: z.array(
    z.object({
      symbol: z.string(),
      deposits: amount,
      /** Reported gains less losses since the first report; null before it. */
      income: amount.nullable(),
    }),
  ),
  /** Block time of the newest income report; null before the first. */
  last_report: time.nullable(),
  /** Devices seen in the last 24 hours. */
  devices_24h: z.number().int().nonnegative(),
  /** The chain that is furthest behind; stale when any chain is. */
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
  /** By window; null: since inception. Empty for a time deposit, whose quoted APYs are in the product. */
  apy: z.array(z.object({ window_days: z.number().int().nullable(), value: rate.nullable(), annualised: z.boolean() })),
  /** Within the range; null before the first deposit. */
  max_drawdown: rate.nullable(),
  series: z.array(
    z.object({
      time,
      tvl: amount,
      /** Net of fees, and as it would be without fees; null for a time deposit. */
      share_price: amount.nullable(),
      gross_price: amount.nullable(),
      /** For a time deposit: the mean rate of live receipts weighted by principal, and assets / liabilities. */
      rate: rate.nullable(),
      coverage: rate.nullable(),
    }),
  ),
  /** Newest first. `fee`: the operator's part of the gain. */
  reports: z.array(
    z.object({
      time,
      block: z.number().int(),
      hash: z.string(),
      delta: amount,
      fee: amount,
      /** When a loss was taken back, which then counts in no sum; null where it stands, and for a gain. */
      taken_back: time.nullable(),
      as_of_time: time,
      evidence_root: z.string(),
      /** The batch of readings whose head it names; null when it names none. */
      anchored: z.object({ number: z.number().int() }).nullable(),
    }),
  ),
  as_of: asOf,
});
export type Performance = z.infer<typeof performance>;

/** /liquidity/:shortId. Amounts in units of the asset. */
export const liquidity = z.object({
  short_id: shortId,
  type: productType,
  /** A time deposit that is being wound down, which is final: nothing is paid at maturity any more. */
  winding_down: z.boolean(),
  instant_capacity: amount,
  idle: amount,
  deployed: amount,
  total_assets: amount,
  /** Income that is idle or deployed but not in the price yet: idle + deployed = total_assets + unstreamed. */
  unstreamed: amount,
  /**
   * The minimum that stays idle by the operator's rule, including a time deposit's reserved interest; null where none
   * is set.
   */
  buffer: amount.nullable(),
  /** deployed / (idle + deployed), rounded down; null when both are 0. */
  utilisation: rate.nullable(),
  /** Null without a queue. `value` is that of the waiting shares at the price of `as_of`. */
  queue: z
    .object({
      requests: z.number().int().nonnegative(),
      shares: amount,
      value: amount,
      /** The part that waits for money only: there has been a report since the request. */
      ready_shares: amount,
      oldest: time.nullable(),
      /** Processed and not yet claimed. */
      claimable: amount,
    })
    .nullable(),
  wait: wait.nullable(),
  /**
   * How past estimates performed: the fraction of `scored` exits done within their P50 and P90. An exit unpaid after
   * its P90 missed both.
   */
  track_record: z
    .object({ scored: z.number().int(), within_p50: rate.nullable(), within_p90: rate.nullable() })
    .nullable(),
  /** Time to exit by amount. */
  exit_curve: z.array(exitTime),
  /** The result if this fraction of all deposits were withdrawn now. */
  scenarios: z.array(z.object({ part: rate, amount, instant: amount, queued: amount, wait: wait.nullable() })),
  /**
   * Weeks of a time deposit (from Monday, UTC), from the current one on, a year at most: amounts due to depositors, and
   * the expected inflow. Empty in a winding down, and for a demand deposit.
   */
  weeks: z.array(
    z.object({
      start: time,
      /** Principal and interest of receipts that mature. */
      maturities: amount,
      /**
       * Median of past weeks' net deposits and repayments, for the current week only its remaining part; null without
       * history.
       */
      expected_inflow: amount.nullable(),
    }),
  ),
  /**
   * Weeks of a demand deposit from `as_of`: the least amount that became available up to then in half and in nine tenths
   * of the past, measured as for `wait`: an exit is paid when this reaches its amount and the amounts ahead of it, less
   * the idle money. As far as the history reaches; empty for a time deposit.
   */
  inflow_ahead: z.array(z.object({ time, p50: amount, p90: amount })),
  /** Daily over the last 53 weeks, weekly before; deposits and withdrawals are those since the previous entry. */
  history: z.array(
    z.object({ time, idle: amount, total_assets: amount, deposits: amount, withdrawals: amount, queued: amount }),
  ),
  as_of: asOf,
});
export type Liquidity = z.infer<typeof liquidity>;

/** A request in a redemption queue that is not fully processed. */
export const withdrawalRequest = z.object({
  /** Counted from the head of the queue; 1 is next. */
  position: z.number().int().positive(),
  wallet: address,
  requested_at: time,
  hash: z.string(),
  /** The shares still waiting, and their value at the price of `as_of`. */
  shares: amount,
  value: amount,
  /** Value of the requests ahead of it. */
  ahead: amount,
  /** From when on it is payable; null while no income report covers it. */
  payable_from: time.nullable(),
  /** True when it waits for money alone. */
  ready: z.boolean(),
  wait: wait.nullable(),
});
export type WithdrawalRequest = z.infer<typeof withdrawalRequest>;
/** `wallets`: their requests first. */
export const queueQuery = pageQuery.extend({ wallets: wallets.optional() });
