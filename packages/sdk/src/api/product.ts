import { z } from "zod";
import { productDocument } from "./document.ts";
import { address, amount, asOf, chainId, lang, pageQuery, rate, shortId, time, wallets } from "./envelope.ts";

export const productType = z.enum(["demand_deposit", "time_deposit"]);
export type ProductType = z.infer<typeof productType>;
export const productStatus = z.enum(["open", "closed"]);
export type ProductStatus = z.infer<typeof productStatus>;
export const timeUnit = z.enum(["year", "month", "week", "day"]);

const token = z.object({ address, symbol: z.string(), decimals: z.number().int() });

const sharesOf = token.extend({ price: amount.nullable(), supply: amount.nullable() });

/**
 * Figures of a product that are null because the audit found stored rows that differ and are not corrected yet.
 * `accounts`: the state of the product, all its amounts. `reports`: income reports. `flows`: deposits, withdrawals and
 * the estimates that follow from them.
 */
export const withheldFigures = z.enum(["accounts", "reports", "flows"]);
export type WithheldFigures = z.infer<typeof withheldFigures>;

/** P50 and P90 of the duration of an exit, in milliseconds. */
const wait = z.object({ p50: z.number().int().nonnegative(), p90: z.number().int().nonnegative() });
/** Time for an exit of `amount` requested at `as_of`. Null if the history is too short. */
const exitTime = z.object({ amount, wait: wait.nullable() });

/**
 * Fields that a list row and a detail page share. Texts are in the requested language. An unknown value is null, never
 * 0. Amounts are in units of `asset`.
 */
export const product = z.object({
  short_id: shortId,
  /**
   * Empty unless the audit has an open finding about the product. The figures of the named parts are then null or left
   * out; the limits `cap`, `min_deposit`, `fee` and `buffer` stay, because the contract enforces its own.
   */
  withheld: z.array(withheldFigures),
  name: z.string(),
  summary: z.string().nullable(),
  type: productType,
  status: productStatus,
  chain_id: z.number().int(),
  contract: address,
  asset: token,
  /**
   * `price` is assets per whole share with 18 decimals, rounded down. Null for a time deposit, whose receipts have no
   * price.
   */
  share: sharesOf.nullable(),
  /**
   * Variable: the net return, compounded to a year if `annualised`; with less than 7 days of history, the raw return.
   * Fixed: the quoted APY of `term` over its days.
   */
  apy: z.object({
    value: rate.nullable(),
    window_days: z.number().int(),
    kind: z.enum(["fixed", "variable"]),
    annualised: z.boolean(),
  }),
  /** For a time deposit, the open term with the highest rate. Null if none is open, and while `accounts` are withheld. */
  term: z.object({ value: z.number().int().positive(), unit: timeUnit }).nullable(),
  /**
   * For a time deposit, every open term, shortest first, with yearly rates. Missing for a demand deposit. Empty while
   * `accounts` are withheld.
   */
  open_terms: z
    .array(z.object({ value: z.number().int().positive(), unit: timeUnit, rate, apy: rate.nullable() }))
    .optional(),
  /** totalAssets, or Σ (principal + accrued interest) of live receipts. */
  tvl: amount.nullable(),
  cap: amount,
  /** The amount that counts towards the cap: totalAssets, or Σ principal of live receipts (without their interest). */
  cap_used: amount.nullable(),
  min_deposit: amount,
  /** The amount that all depositors together can withdraw immediately. */
  instant_capacity: amount.nullable(),
  /** For a typical exit. Null without an estimate, 0 if everything is idle. */
  wait: wait.nullable(),
  /** Where the money is and what it costs, according to the contract at `as_of`. */
  conditions: z.object({
    /** The money in the contract, and the money with the custodian according to the operator's books. */
    cash: amount.nullable(),
    deployed: amount.nullable(),
    /** The operator's part of gains above the highest price so far. Null for a time deposit. */
    performance_fee: rate.nullable(),
    /** The minimum time in milliseconds over which a reported gain is added to the price. Null for a time deposit. */
    vesting: z.number().int().nullable(),
    /**
     * Among open terms, the lowest yearly rate of an early withdrawal, and the largest part of the principal that one
     * costs.
     */
    early_withdrawal: z.object({ rate, penalty: rate }).nullable(),
  }),
  holders: z.number().int().nonnegative().nullable(),
  /** Milliseconds from the last income report to `as_of`. Null for a time deposit, whose rate is fixed. */
  proof_age: z.number().int().nullable(),
  paused_until: time.nullable(),
  /**
   * Whether the contract refuses every deposit for a time: during a pause, for a loss, with lapsed evidence, or with a
   * last report that is too old. A closed or full product is another matter.
   */
  deposits_paused: z.boolean(),
  location: z.string().nullable(),
  asset_class: z.string().nullable(),
  image: z.string().nullable(),
  /** Countries to whose residents the product is not offered, according to its document. */
  closed_to: z.array(z.string()),
  /** The English texts if another language is shown, so that a search matches either. */
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

/** All inputs that a preview needs to match the contract to the last unit. Units: whole assets, whole shares, ms. */
export const vaultState = z.object({
  settled: amount.nullable(),
  streaming: amount.nullable(),
  stream_start: time,
  stream_end: time,
  supply: amount.nullable(),
  report_max_age: z.number().int().nonnegative(),
  last_report: time.nullable(),
  /** End of the deposit pause after a loss lowered the price. Null if there is none. */
  deposits_closed_until: time.nullable(),
  /**
   * The time until which a large loss may be confirmed or taken back. Exits, processing and reports wait until then.
   * Null if no loss is under review.
   */
  loss_reviewed_until: time.nullable(),
  /** The time until which the product's evidence is valid. Null for a product without devices. */
  evidence_until: time.nullable(),
  deployed: amount.nullable(),
  /**
   * Fractions: `buffer` is the part of totalAssets that is never deployed, `fee` the part of a gain that the operator
   * receives.
   */
  buffer: rate,
  fee: rate,
  /** The redemption queue and the shares that wait in it. Null if money is never deployed. */
  queue: z.object({ address, shares: amount.nullable() }).nullable(),
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
  /** Maturity and quoted APY of a deposit opened at `as_of`. */
  maturity: time,
  apy: rate.nullable(),
});
export type TermOffer = z.infer<typeof termOffer>;

/** The accounts of a time deposit. */
export const termBooks = z.object({
  cash: amount.nullable(),
  deployed: amount.nullable(),
  principal: amount.nullable(),
  /** Σ (principal + interest at maturity) of live receipts. In a winding down, less the amounts drawn. */
  liabilities: amount.nullable(),
  /** Interest that is set aside for live receipts, and interest that is funded beyond it. */
  reserved: amount.nullable(),
  free_interest: amount.nullable(),
  /** Assets / liabilities, rounded down. Null if nothing is owed. */
  coverage: rate.nullable(),
  losses: amount.nullable(),
  /** Total claims, and the amount received for them so far. Null unless the product is wound down. */
  winding_down: z.object({ claims: amount.nullable(), received: amount.nullable() }).nullable(),
  receipts: z.number().int().nonnegative().nullable(),
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
  /** Auditor of the contracts, from the product's document. Null if they are not audited. */
  contract_audit: productDocument.shape.contract_audit,
  /**
   * Income of the last twelve calendar months (UTC), oldest first, including the current month so far; no months before
   * `inception`. For a demand deposit, reported gains less losses; for a time deposit, the interest reserved for
   * receipts opened in the month.
   */
  income_months: z.array(z.object({ start: time, amount })),
});

export const demandDetail = productPage.extend({
  type: z.literal("demand_deposit"),
  share: sharesOf,
  vault: vaultState,
  /**
   * Largest fall of the share price from a peak since the first deposit, including the fall of a loss that was taken
   * back. Null before the first deposit.
   */
  max_drawdown: rate.nullable(),
  /** When the losses of that fall were taken back. Null if one of them was not, and without a fall. */
  max_drawdown_taken_back: time.nullable(),
  /** Time to exit by amount, ascending. */
  exit_curve: z.array(exitTime),
});
export type DemandDetail = z.infer<typeof demandDetail>;

export const timeDetail = productPage.extend({
  type: z.literal("time_deposit"),
  share: z.null(),
  /** The time until which the product's evidence is valid. Null for a product without devices. */
  evidence_until: time.nullable(),
  /**
   * The time until which a loss may be confirmed or taken back that would wind the product down. Openings, rollovers and
   * early exits wait. It stays after that time until anyone settles the loss. Null if no loss is under review.
   */
  loss_reviewed_until: time.nullable(),
  /**
   * In the order in which they were added. Includes closed terms, since receipts refer to them. Empty while `accounts` are
   * withheld.
   */
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

/** Figures over all products of an instance. Amounts are grouped by unit, so that currencies are never mixed. */
export const productSummary = z.object({
  /** The number of products that are not closed. One may be full, or take no deposits for a time. */
  open: z.number().int().nonnegative(),
  /**
   * The number of positions over all products. One wallet in two products counts twice. Null if the accounts of a product
   * are withheld.
   */
  positions: z.number().int().nonnegative().nullable(),
  totals: z.array(
    z.object({
      symbol: z.string(),
      /** Null if the accounts of a product with this unit are withheld. */
      deposits: amount.nullable(),
      /** Reported gains less losses since the first report. Null before it, and if the reports of a product are withheld. */
      income: amount.nullable(),
    }),
  ),
  /** Block time of the newest income report. Null before the first, and if it is withheld. */
  last_report: time.nullable(),
  /** The number of devices seen in the last 24 hours. */
  devices_24h: z.number().int().nonnegative(),
  /** The chain that is furthest behind. Stale if any chain is. */
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
  /**
   * By window; `window_days` is null for the time since inception. Empty for a time deposit, whose quoted APYs are in
   * the product.
   */
  apy: z.array(z.object({ window_days: z.number().int().nullable(), value: rate.nullable(), annualised: z.boolean() })),
  /** As in the product's answer: since the first deposit, whatever the range. Null for a time deposit. */
  max_drawdown: rate.nullable(),
  max_drawdown_taken_back: time.nullable(),
  series: z.array(
    z.object({
      time,
      tvl: amount,
      /** The price net of fees, and the price as it would be without fees. Null for a time deposit. */
      share_price: amount.nullable(),
      gross_price: amount.nullable(),
      /** For a time deposit: the mean rate of live receipts weighted by principal, and assets / liabilities. */
      rate: rate.nullable(),
      coverage: rate.nullable(),
    }),
  ),
  /** Newest first. `fee` is the operator's part of the gain. */
  reports: z.array(
    z.object({
      time,
      block: z.number().int(),
      hash: z.string(),
      delta: amount,
      fee: amount,
      /**
       * The time at which a loss was taken back; the loss then counts in no sum. Null for a loss that was not taken
       * back, and for a gain.
       */
      taken_back: time.nullable(),
      as_of_time: time,
      evidence_root: z.string(),
      /** The batch of readings whose head the report names. Null if it names none. */
      anchored: z.object({ number: z.number().int() }).nullable(),
    }),
  ),
  as_of: asOf,
});
export type Performance = z.infer<typeof performance>;

/** Data of /liquidity/:shortId. Amounts in units of the asset. */
export const liquidity = z.object({
  short_id: shortId,
  type: productType,
  /** True for a time deposit that is being wound down. This is final: nothing is paid at maturity any more. */
  winding_down: z.boolean(),
  instant_capacity: amount,
  idle: amount,
  deployed: amount,
  total_assets: amount,
  /** Income that is idle or deployed but not in the price yet: idle + deployed = total_assets + unstreamed. */
  unstreamed: amount,
  /**
   * The minimum that stays idle by the operator's rule, including a time deposit's reserved interest. Null if none is
   * set.
   */
  buffer: amount.nullable(),
  /** deployed / (idle + deployed), rounded down. Null if both are 0. */
  utilisation: rate.nullable(),
  /** Null without a queue. `value` is the value of the waiting shares at the price of `as_of`. */
  queue: z
    .object({
      requests: z.number().int().nonnegative(),
      shares: amount,
      value: amount,
      /** The shares that wait only for money, because there has been a report since their request. */
      ready_shares: amount,
      oldest: time.nullable(),
      /** The amount that is processed and not yet claimed. */
      claimable: amount,
    })
    .nullable(),
  wait: wait.nullable(),
  /**
   * The accuracy of past estimates: the fraction of `scored` exits that were done within their P50 and P90. An exit
   * that is unpaid after its P90 missed both.
   */
  track_record: z
    .object({ scored: z.number().int(), within_p50: rate.nullable(), within_p90: rate.nullable() })
    .nullable(),
  /** Time to exit by amount. */
  exit_curve: z.array(exitTime),
  /** The result if this fraction of all deposits were withdrawn now. */
  scenarios: z.array(z.object({ part: rate, amount, instant: amount, queued: amount, wait: wait.nullable() })),
  /**
   * Weeks of a time deposit (from Monday, UTC), from the current one on, at most a year: amounts due to depositors, and
   * the expected inflow. Empty in a winding down, and for a demand deposit.
   */
  weeks: z.array(
    z.object({
      start: time,
      /** Principal and interest of the receipts that mature in the week. */
      maturities: amount,
      /**
       * Median of past weeks' net deposits and repayments; for the current week, only its remaining part. Null without
       * history.
       */
      expected_inflow: amount.nullable(),
    }),
  ),
  /**
   * Weeks of a demand deposit from `as_of`: the smallest amount that became available by then in half and in nine
   * tenths of the past, measured as for `wait`. An exit is paid once this covers its amount and the amounts ahead of
   * it, less the idle money. The list ends where the history ends; it is empty for a time deposit.
   */
  inflow_ahead: z.array(z.object({ time, p50: amount, p90: amount })),
  /**
   * One entry per day over the last 53 weeks, and per week before. Deposits and withdrawals are those since the
   * previous entry.
   */
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
  /** The shares that still wait, and their value at the price of `as_of`. */
  shares: amount,
  value: amount,
  /** Value of the requests ahead of it. */
  ahead: amount,
  /** The time from which it is payable. Null if no income report covers it yet. */
  payable_from: time.nullable(),
  /** True if it waits only for money. */
  ready: z.boolean(),
  wait: wait.nullable(),
});
export type WithdrawalRequest = z.infer<typeof withdrawalRequest>;
/** The requests of `wallets` come first. */
export const queueQuery = pageQuery.extend({ wallets: wallets.optional() });
