import { z } from "zod";
import { address, amount, asOf, pageQuery, rate, shortId, time } from "./envelope.ts";
import { productType } from "./product.ts";

/**
 * `reviewed`: a loss may be taken back until the end of its review. `unsettled`: a time deposit waits since then until
 * anyone settles its loss.
 */
export const lossStage = z.enum(["reviewed", "unsettled"]);

/**
 * A product's assets and liabilities. Demand: assets = idle + deployed + set aside; liabilities = value of all shares +
 * income not yet streamed + set aside. Time: assets = cash + deployed less booked losses; liabilities = Σ (principal +
 * interest at maturity). Each part is listed, so that a reader can recompute the sum.
 */
export const reserves = z.object({
  short_id: shortId,
  name: z.string(),
  type: productType,
  chain_id: z.number().int(),
  contract: address,
  symbol: z.string(),
  decimals: z.number().int(),
  assets: z.array(z.object({ part: z.enum(["idle", "deployed", "set_aside"]), amount })),
  liabilities: z.array(
    z.object({ part: z.enum(["shares", "unstreamed", "set_aside", "principal", "interest", "claims"]), amount }),
  ),
  /** Null if the audit has an open finding about the product's accounts. The lists of parts are then empty. */
  total_assets: amount.nullable(),
  total_liabilities: amount.nullable(),
  /** Rounded down. Null if nothing is owed, and if the amounts are withheld. */
  coverage: rate.nullable(),
  /**
   * The time of the report that the value is based on. It is stale once it is older than `max_age` milliseconds. Both
   * are null for a time deposit.
   */
  last_report: time.nullable(),
  max_age: z.number().int().nullable(),
  /**
   * The time at which the documents that it depends on were last confirmed, and the time until which they are valid.
   * Null if it depends on none.
   */
  evidence: z.object({ confirmed: time, until: time }).nullable(),
  /**
   * The loss that is under review until `until`, or that waits to be settled since then. Null if there is none. `amount` is
   * null if the audit has an open finding about it.
   */
  reviewed_loss: z.object({ amount: amount.nullable(), stage: lossStage, until: time }).nullable(),
  /** The time of the newest reading of its devices in a batch on chain. Null before the first. */
  last_reading: time.nullable(),
  as_of: asOf,
});
export type Reserves = z.infer<typeof reserves>;

/**
 * A call's function and arguments. Numbers are decimal, and selectors are the names of their functions. For an unknown
 * function, `name` is its selector. `parts` are the calls of a multicall.
 */
export const decodedCall = z.object({
  name: z.string(),
  args: z.record(z.string(), z.string()),
  parts: z.array(z.object({ name: z.string(), args: z.record(z.string(), z.string()) })),
});
export type DecodedCall = z.infer<typeof decodedCall>;

/**
 * A call that the holder of a role has scheduled and not yet made. It can be made from `possible_from` until `possible_until`.
 */
export const scheduledCall = decodedCall.extend({
  chain_id: z.number().int(),
  operation: z.string(),
  nonce: z.number().int(),
  caller: address,
  target: address,
  short_id: shortId.nullable(),
  scheduled_at: time,
  possible_from: time,
  possible_until: time,
  hash: z.string(),
});
export type ScheduledCall = z.infer<typeof scheduledCall>;

/** A proposal to replace `wallet` by `successor`. It can be vetoed until it is executed, even after `executable_at`. */
export const recovery = z.object({
  chain_id: z.number().int(),
  /** The identity registry to which it was proposed. */
  registry: address,
  wallet: address,
  successor: address,
  proposed_at: time,
  executable_at: time,
  expires_at: time,
  hash: z.string(),
});
export type Recovery = z.infer<typeof recovery>;
export const recoveriesQuery = z.object({ wallet: address });
/** The open proposals about one wallet, at most one per chain. */
export const recoveries = z.object({ recoveries: z.array(recovery), as_of: asOf });
export type Recoveries = z.infer<typeof recoveries>;

export const transparencySummary = z.object({
  reserves: z.array(reserves),
  contracts: z.array(z.object({ chain_id: z.number().int(), role: z.string(), address, short_id: shortId.nullable() })),
  /**
   * Holders of the AccessManager's roles, according to its events. `delay` is the time in milliseconds before a
   * scheduled call takes effect.
   */
  roles: z.array(
    z.object({
      chain_id: z.number().int(),
      id: z.string(),
      label: z.string().nullable(),
      members: z.array(z.object({ address, delay: z.number().int(), since: time })),
    }),
  ),
  scheduled: z.array(scheduledCall),
  as_of: asOf,
});
export type TransparencySummary = z.infer<typeof transparencySummary>;

/** Acts of role holders. Lists are newest first. `args` are the event's arguments, with decimal numbers. */
export const privilegedAct = z.object({
  chain_id: z.number().int(),
  block: z.number().int(),
  log_index: z.number().int(),
  time,
  hash: z.string(),
  contract: address,
  short_id: shortId.nullable(),
  name: z.string(),
  args: z.record(z.string(), z.string()),
  /** The call that an act of the AccessManager schedules or cancels. Null for any other act. */
  call: decodedCall.nullable(),
});
export type PrivilegedAct = z.infer<typeof privilegedAct>;
export const actsQuery = pageQuery.extend({ short_id: shortId.optional() });

/**
 * What the audit of the stored rows says. It recomputes every row that comes from a chain from the chain's events and
 * compares it.
 */
export const auditSummary = z.object({
  chains: z.array(
    z.object({
      chain_id: z.number().int(),
      /** The last block whose rows were compared, and when. Null before the first. */
      block: z.number().int().nullable(),
      time: time.nullable(),
      /** The last audit of the whole history, and the number of figures it has compared since it began. */
      whole: z.object({ started: time, ended: time, figures: z.number().int() }).nullable(),
      /** The number of rows or columns that are wrong now. */
      open: z.number().int().nonnegative(),
    }),
  ),
  /** The public log of what no chain knows (GET log/checkpoint). Null before it has begun. */
  log: z.object({ origin: z.string(), size: z.number().int().nonnegative() }).nullable(),
  /** The newest 100 findings, newest first. `column` is null for a row that is missing or must not exist. */
  findings: z.array(
    z.object({
      chain_id: z.number().int(),
      table: z.string(),
      row: z.string(),
      column: z.string().nullable(),
      expected: z.string().nullable(),
      found: z.string().nullable(),
      /** Contract of the product whose figures are concerned. */
      product: z.string().nullable(),
      since: time,
      /** When the row was right again. Null while it is not. */
      healed: time.nullable(),
    }),
  ),
});
export type AuditSummary = z.infer<typeof auditSummary>;
