import { z } from "zod";
import { amount, asOf, shortId, time } from "./envelope.ts";
import { transactionKind } from "./portfolio.ts";
import { product, productSummary } from "./product.ts";

/** A product that the home page names. */
const named = z.object({ short_id: shortId, name: z.string(), symbol: z.string() });

/** The newest reported gain, followed from a device's reading to the amount that can be withdrawn. */
export const followedReport = z.object({
  product: named.extend({
    asset_class: z.string().nullable(),
    location: z.string().nullable(),
    instant_capacity: amount.nullable(),
  }),
  time,
  block: z.number().int(),
  hash: z.string(),
  delta: amount,
  /** The hash that names its evidence. Null if it names none. */
  evidence_root: z.string().nullable(),
  /** Share price at the report and at `as_of`, with 18 decimals. */
  price_before: amount.nullable(),
  price_now: amount.nullable(),
  /**
   * An anchored reading that the report is based on, and the batch on chain. Null if the report does not lead back to
   * one.
   */
  reading: z.object({ device: z.string(), value: z.string(), unit: z.string(), time }).nullable(),
  batch: z.object({ number: z.number().int(), block: z.number().int() }).nullable(),
});
export type FollowedReport = z.infer<typeof followedReport>;

export const instanceEvent = z.object({
  /** Unique among the events. */
  key: z.string(),
  time,
  product: named,
  kind: z.enum([...transactionKind.options, "report", "loss"]),
  amount: amount.nullable(),
});
export type InstanceEvent = z.infer<typeof instanceEvent>;

/** GET product/home: all data of the home page, read at one state of the chains. */
export const home = productSummary.extend({
  /**
   * Up to three products that take deposits, with one of each type if possible. Products that pay 90% of withdrawals
   * within seven days come first, then those with the highest rates.
   */
  featured: z.array(product),
  report: followedReport.nullable(),
  /** The five newest events, newest first. */
  events: z.array(instanceEvent),
  as_of: asOf,
});
export type Home = z.infer<typeof home>;
