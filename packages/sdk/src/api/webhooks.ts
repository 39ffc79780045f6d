import { z } from "zod";
import { amount, pageQuery, shortId, time, transactionHash } from "./envelope.ts";
import { caseStatus } from "./operator.ts";
import { transaction } from "./portfolio.ts";
import { type WebhookType, webhookStates, webhookTypes } from "./rules.ts";
import { lossStage } from "./transparency.ts";

// What the server sends to an operator's system after Standard Webhooks (https://www.standardwebhooks.com), and the
// operator's calls about it.

/** A movement as in `account/transaction`, without what is the same in each: it is confirmed. */
const movement = transaction.omit({ status: true, description: true }).extend({
  block: z.number().int(),
  log_index: z.number().int(),
  short_id: shortId,
  symbol: z.string(),
  amount,
});

/** Where an event of a chain happened. */
const place = z.object({
  chain_id: z.number().int(),
  block: z.number().int(),
  log_index: z.number().int(),
  hash: transactionHash,
  time,
  short_id: shortId,
});

const expiryDays = z.union([z.literal(30), z.literal(7), z.literal(1), z.literal(0)]);

/** The data of each type of event. Names of types and fields never change; new ones may be added. */
export const webhookData = {
  deposit: movement.extend({ kind: z.literal("deposit") }),
  /** `request` waits in the queue, `processed` sets the money aside, and the other kinds pay it out. */
  withdrawal: movement.extend({ kind: z.enum(["withdraw", "request", "processed", "claim", "mature"]) }),
  /** An income report of a demand deposit. `amount` is negative for a loss. */
  report: place.extend({ symbol: z.string(), amount, as_of_time: time, evidence_root: z.string() }),
  /** A batch of readings is on chain. `from` and `to`: the times of its readings. */
  anchor: place.extend({
    number: z.number().int(),
    root: z.string(),
    data_hash: z.string(),
    head: z.string(),
    count: z.number().int(),
    from: time,
    to: time,
  }),
  /** An identity case was decided, taken back (`rejected`) or has expired. */
  identity: z.object({ case_id: z.string(), status: caseStatus.exclude(["pending"]), valid_until: time.nullable() }),
  /** The audit found a stored value that differs. `GET transparency/audit` has both values. */
  finding: z.object({
    id: z.number().int(),
    chain_id: z.number().int(),
    table: z.string(),
    row: z.string(),
    column: z.string().nullable(),
    found_at: time,
  }),
  /**
   * A document of a product's evidence expires within `days` (30, 7 or 1), or has expired (0). It is valid until
   * `expires_at`, the end of its last day in UTC.
   */
  evidence: z.object({
    chain_id: z.number().int(),
    short_id: shortId,
    title: z.string(),
    issuer: z.string(),
    hash: z.string(),
    expires_at: time,
    days: expiryDays,
  }),
  /**
   * The evidence of a product is valid on chain until `until`, which is within `days` (30, 7 or 1) or over (0). From then on
   * the contract takes no deposits.
   */
  evidence_until: z.object({ chain_id: z.number().int(), short_id: shortId, until: time, days: expiryDays }),
  /** A loss is under review until `until`, or waits to be settled since then. */
  loss: z.object({ chain_id: z.number().int(), short_id: shortId, stage: lossStage, until: time }),
} satisfies Record<WebhookType, z.ZodType>;

/** An event to send. `time`: when it happened, Unix milliseconds. */
export type WebhookEvent = {
  [Type in WebhookType]: { type: Type; time: number; data: z.input<(typeof webhookData)[Type]> };
}[WebhookType];

export const webhookState = z.enum(webhookStates);

export const webhookListQuery = pageQuery.extend({
  type: z.enum(webhookTypes).optional(),
  state: webhookState.optional(),
});

/** One event in the log of deliveries. */
export const webhookLine = z.object({
  /** The `webhook-id` of every delivery of the event. */
  id: z.string(),
  type: z.enum(webhookTypes),
  /** When it happened. */
  time,
  /** `waiting`: it is tried or tried again. `failed`: it was given up after the last try. */
  state: webhookState,
  tries: z.number().int().nonnegative(),
  /** The last try, and what came back: a status, or why there was no answer. Null before the first try. */
  last_try: z.object({ time, answer: z.string() }).nullable(),
  delivered_at: time.nullable(),
});
export type WebhookLine = z.infer<typeof webhookLine>;

/** POST operator/webhooks/replay: sends one event again, or those of a span of time (both ends included). */
export const replayBody = z.union([
  z.strictObject({ id: z.string().max(64) }),
  z.strictObject({ from: time, to: time.optional(), state: webhookState.optional() }),
]);
export const replayed = z.object({ replayed: z.number().int().nonnegative() });
export type Replayed = z.infer<typeof replayed>;
