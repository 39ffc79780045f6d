import { figureOf } from "@aqua/sdk/telemetry/figure";
import type { device } from "./schema.ts";

/** Returns the public fields of a device as enrolled. Its values are in the metric's unit. */
export function toEnrolled(row: typeof device.$inferSelect) {
  const { name, metric, exponent, place, latitude, longitude, model, trust, coSigner } = row;
  return {
    name,
    short_id: row.shortId,
    chain_id: row.chainId,
    metric,
    exponent,
    place,
    latitude,
    longitude,
    model,
    trust,
    co_signer: coSigner,
    min: figureOf(row.min, exponent),
    max: figureOf(row.max, exponent),
  };
}
