import type { Product } from "@aqua/sdk/api/product";
import { compareAmounts } from "../decimal.ts";

/** The comparable figures of products, and whether more or less is better. */
export const measures = {
  apy: "most",
  exit: "most",
  wait: "least",
  minimum: "least",
  proof: "least",
} as const;
export type Measure = keyof typeof measures;

/** The figure; null where it is unknown or not comparable: a raw return over a few days is not a yearly rate. */
function figureOf(product: Product, measure: Measure): string | null {
  switch (measure) {
    case "apy":
      return product.apy.annualised || product.apy.kind === "fixed" ? product.apy.value : null;
    case "exit":
      return product.instant_capacity;
    case "wait":
      return product.wait === null ? null : String(product.wait.p50);
    case "minimum":
      return product.min_deposit;
    case "proof":
      return product.proof_age === null ? null : String(product.proof_age);
  }
}

const inMoney: readonly Measure[] = ["exit", "minimum"];

/**
 * For each product, whether it has the best figure. No product has it when all known figures are equal, when fewer than
 * two are known, or when amounts are in different assets.
 */
export function bestAmong(products: readonly Product[], measure: Measure): boolean[] {
  const figures = products.map((product) => figureOf(product, measure));
  const knownFigures = figures.filter((figure) => figure !== null);
  const assets = new Set(products.map(({ chain_id, asset }) => `${chain_id}-${asset.address.toLowerCase()}`));
  const nobody = products.map(() => false);
  if (knownFigures.length < 2 || (inMoney.includes(measure) && assets.size > 1)) return nobody;
  const sorted = [...knownFigures].sort(compareAmounts);
  const [least, most] = [sorted[0] ?? "", sorted.at(-1) ?? ""];
  if (compareAmounts(least, most) === 0) return nobody;
  const best = measures[measure] === "most" ? most : least;
  return figures.map((figure) => figure !== null && compareAmounts(figure, best) === 0);
}
