import type { Holding, TotalHoldValue } from "@aqua/sdk/api/portfolio";
import type { FigureSource, Withheld } from "../findings/open.ts";

/** What the value of a wallet's holding in a product follows from: the product's state, and the wallet's own rows. */
export function isHoldingWithheld(withheld: Withheld, product: string, wallets: readonly string[]): boolean {
  return withheld.concerns(["accounts"], { product }) || withheld.concerns(["wallet"], { product, wallets });
}

/** Returns the holding without its amounts and rates if an open finding concerns them. */
export function withholdHolding(holding: Holding, withheld: Withheld): Holding {
  if (!isHoldingWithheld(withheld, holding.short_id, [holding.wallet])) return holding;
  const { receipt } = holding;
  return {
    ...holding,
    withheld: true,
    shares: null,
    // Term, number and instruction stay, so that the receipt can be chosen; its amounts are read from the chain.
    receipt: receipt && {
      ...receipt,
      rate: null,
      break_rate: null,
      penalty: null,
      principal: null,
      interest_at_maturity: null,
    },
    principal: null,
    value: null,
    exit_value: null,
    average_cost: null,
    realised: null,
    unrealised: null,
    interest: null,
    apy: null,
    pending_shares: null,
    claimable: null,
  };
}

/** Returns the value of all holdings without the sums of which a part is withheld. */
export function withholdTotal(
  total: TotalHoldValue,
  { withheld, wallets }: { withheld: Withheld; wallets: readonly string[] },
): TotalHoldValue {
  const by_product = total.by_product.map((one) =>
    isHoldingWithheld(withheld, one.short_id, wallets) ? { ...one, value: null } : one,
  );
  // A holding whose row is missing is in no sum.
  if (!withheld.concerns(["wallet"], { wallets, isNamed: true }) && by_product.every(({ value }) => value !== null))
    return total;
  return { ...total, by_product, total: null, exit_value: null, claimable: null, next_cash: null };
}

/**
 * Refuses an answer about what wallets did in some products over time.
 * @throws ApiError `figures_withheld`
 */
export function demandHistory(
  withheld: Withheld,
  what: string,
  {
    products,
    wallets,
    also = [],
  }: { products: readonly string[]; wallets: readonly string[]; also?: readonly FigureSource[] },
): void {
  // A product whose row of the wallet is missing is not among the products.
  withheld.demand(what, ["wallet"], { wallets, isNamed: true });
  for (const product of products) {
    withheld.demand(what, ["accounts", ...also], { product });
    withheld.demand(what, ["wallet"], { product, wallets });
  }
}
