import { mulDivFloor, parseUnits } from "../maths/units.ts";
import type { Metric } from "./metrics.ts";

/**
 * The open, versioned metric functions. Each counts one register of a product's devices and multiplies the count by a
 * price.
 */
export const incomeMetrics = {
  "energy-sold": { register: "energy" },
  "water-sold": { register: "volume" },
  "gas-sold": { register: "gas" },
} as const satisfies Record<string, { register: Metric }>;
export type IncomeMetricId = keyof typeof incomeMetrics;
export const incomeMetricNames = Object.keys(incomeMetrics) as [IncomeMetricId, ...IncomeMetricId[]];

const wadDecimals = 18;
const wad = 10n ** BigInt(wadDecimals);

export interface IncomeTerms {
  /** The price per unit that the register counts, in smallest units of the asset × 10^18. */
  price: bigint;
  /** Fraction of the proceeds, with 18 decimals. */
  share: bigint;
  /** Smallest units of the asset. */
  financed: bigint;
}

/** The terms in a product's document, for an asset with these decimals. @throws RangeError if they have more digits */
export function termsOf(metric: Record<keyof IncomeTerms, string>, assetDecimals: number): IncomeTerms {
  return {
    price: parseUnits(metric.price, assetDecimals + wadDecimals),
    share: parseUnits(metric.share, wadDecimals),
    financed: parseUnits(metric.financed, assetDecimals),
  };
}

/**
 * Proceeds of the amount that the registers counted, and the resulting gain of a product that holds `assets`. Both are
 * in smallest units of the asset, rounded down: proceeds = ⌊counted × price⌋, gain = ⌊proceeds × share × assets /
 * financed⌋. RangeError if `counted` is negative or `financed` is not positive.
 * @param counted sum of all registers, 18 decimals, not negative
 */
export function incomeOf(terms: IncomeTerms, counted: bigint, assets: bigint): { proceeds: bigint; gain: bigint } {
  if (terms.financed <= 0n) throw new RangeError("financed must be more than 0");
  if (counted < 0n) throw new RangeError("counted must not be negative");
  const proceeds = mulDivFloor(counted, terms.price, wad * wad);
  return { proceeds, gain: (proceeds * terms.share * assets) / (wad * terms.financed) };
}
