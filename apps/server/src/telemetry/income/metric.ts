import type { IncomeMetric, ProductDocument } from "@aqua/sdk/api/document";
import type { IncomeCheck } from "@aqua/sdk/api/telemetry";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { figureDecimals, figureOf } from "@aqua/sdk/telemetry/figure";
import { type IncomeTerms, incomeMetrics, incomeOf, termsOf } from "@aqua/sdk/telemetry/income";
import { type Metric, metrics } from "@aqua/sdk/telemetry/metrics";
import type { Product } from "../../indexer/world.ts";
import type { Documents } from "../../product/documents.ts";
import { type RegisterCount, totalOf } from "./count.ts";

export interface IncomeFunction {
  metric: IncomeMetric;
  terms: IncomeTerms;
  register: Metric;
}

/**
 * Returns the function from registers to income in the document with this hash. Returns null if the document does not
 * define one, or if the definition is not valid.
 */
export function functionOf(documents: Documents, hash: `0x${string}` | null, product: Product): IncomeFunction | null {
  const metric = hash && documents.get(hash)?.income;
  if (!metric) return null;
  try {
    const terms = termsOf(metric, product.assetDecimals);
    return terms.financed > 0n ? { metric, terms, register: incomeMetrics[metric.id].register } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export function tellMetric({ metric, register }: IncomeFunction): NonNullable<IncomeCheck["metric"]> {
  return { ...metric, register, unit: metrics[register].unit };
}

/**
 * Returns the document's reason for the part of a report beyond its readings: the reason for income of exactly that
 * amount, or null.
 */
export function reasonOf(
  document: ProductDocument | null,
  { product, delta, gain }: { product: Product; delta: bigint; gain: bigint | null },
): string | null {
  if (document === null || gain === null || delta <= gain) return null;
  const other = delta - gain;
  return document.other_income.find(({ amount }) => unitsOf(amount, product) === other)?.reason ?? null;
}

/** Returns smallest units, or null for an amount with more decimals than the asset. */
function unitsOf(amount: string, { assetDecimals }: Product): bigint | null {
  try {
    return parseUnits(amount, assetDecimals);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns the amount that the registers counted for `assets` (smallest units), in the form of the API. */
export function reportIncome({
  product,
  of,
  counted,
  assets,
}: {
  product: Product;
  of: IncomeFunction | null;
  counted: readonly RegisterCount[];
  assets: bigint | null;
}) {
  const total = totalOf(counted);
  const income = of === null || total === null || assets === null ? null : incomeOf(of.terms, total, assets);
  const units = (amount: bigint) => formatUnits(amount, product.assetDecimals);
  return {
    gain: income?.gain ?? null,
    figures: {
      counted: total === null ? null : formatUnits(total, figureDecimals),
      proceeds: income === null ? null : units(income.proceeds),
      expected: income === null ? null : units(income.gain),
    },
  };
}

export function reportDevices(counted: readonly RegisterCount[]): IncomeCheck["devices"] {
  return counted.map(({ device: { name, exponent }, first, last, counted }) => {
    const tell = (reading: RegisterCount["first"]) =>
      reading && { ...reading, value: figureOf(reading.value, exponent) };
    return {
      name,
      first: tell(first),
      last: tell(last),
      counted: counted === null ? null : formatUnits(counted, figureDecimals),
    };
  });
}
