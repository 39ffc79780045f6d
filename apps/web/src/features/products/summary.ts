import type { Product } from "@aqua/sdk/api/product";
import { sumAmounts } from "../decimal.ts";

interface ProductsSummary {
  /** Sum of total deposits by unit, so that no two currencies are added. */
  deposits: { symbol: string; amount: string }[];
  open: number;
  /** Stakes over all products; one wallet in two products counts twice. */
  positions: number;
  /** Milliseconds since the newest income report; null when there is none. */
  newestProof: number | null;
}

/** Figures of a whole instance, from its products. */
export function summarise(products: readonly Product[]): ProductsSummary {
  const symbols = [...new Set(products.map((product) => product.asset.symbol))];
  const ages = products.map((product) => product.proof_age).filter((age) => age !== null);
  return {
    deposits: symbols.map((symbol) => ({
      symbol,
      amount: sumAmounts(products.filter((product) => product.asset.symbol === symbol).map((product) => product.tvl)),
    })),
    open: products.filter((product) => product.status === "open").length,
    positions: products.reduce((sum, product) => sum + product.holders, 0),
    newestProof: ages.length > 0 ? Math.min(...ages) : null,
  };
}

/** The open product with room under its cap and the highest known APY; null when none is open. */
export function bestOpen(products: readonly Product[]): Product | null {
  const rank = (product: Product) =>
    product.apy.value === null ? Number.NEGATIVE_INFINITY : Number(product.apy.value);
  const open = products.filter((product) => product.status === "open" && Number(product.tvl) < Number(product.cap));
  return [...open].sort((a, b) => rank(b) - rank(a))[0] ?? null;
}
