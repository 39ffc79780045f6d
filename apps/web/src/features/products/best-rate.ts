import type { Product } from "@aqua/sdk/api/product";
import { stateOf } from "./deposit-state.ts";

/** The product that takes deposits now and has the highest known APY; null when none does. */
export function bestOpen(products: readonly Product[]): Product | null {
  const rank = (product: Product) =>
    product.apy.value === null ? Number.NEGATIVE_INFINITY : Number(product.apy.value);
  const open = products.filter((product) => stateOf(product) === "open");
  return [...open].sort((a, b) => rank(b) - rank(a))[0] ?? null;
}
