import type { Product } from "@aqua/sdk/api/product";

/** The open product with room under its cap and the highest known APY; null when none is open. */
export function bestOpen(products: readonly Product[]): Product | null {
  const rank = (product: Product) =>
    product.apy.value === null ? Number.NEGATIVE_INFINITY : Number(product.apy.value);
  const open = products.filter((product) => product.status === "open" && Number(product.tvl) < Number(product.cap));
  return [...open].sort((a, b) => rank(b) - rank(a))[0] ?? null;
}
