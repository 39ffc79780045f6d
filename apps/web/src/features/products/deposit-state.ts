import type { Product, TermOffer, TimeDetail } from "@aqua/sdk/api/product";
import { compareAmounts, sumAmounts } from "../decimal.ts";

/** Whether a product takes deposits now. If it does not, the most permanent reason comes first. */
export type ProductState = "closed" | "paused" | "withheld" | "termless" | "capped" | "open";

/** The product fields that decide the deposit state. */
export type StateFields = Pick<
  Product,
  "type" | "status" | "cap" | "cap_used" | "min_deposit" | "deposits_paused" | "term"
>;

export function stateOf(product: StateFields): ProductState {
  const { type, status, cap, cap_used, min_deposit, deposits_paused, term } = product;
  if (status === "closed") return "closed";
  if (deposits_paused) return "paused";
  // Whether money fits is unknown. The product's notice says why, and the form takes no deposit.
  if (cap_used === null) return "withheld";
  if (type === "time_deposit" && term === null) return "termless";
  // A remaining capacity below the minimum deposit counts as none.
  if (compareAmounts(cap_used, cap) >= 0 || compareAmounts(sumAmounts([cap_used, min_deposit]), cap) > 0)
    return "capped";
  return "open";
}

/**
 * The terms under which a deposit can be opened. Empty for a closed product or one in wind-down, even if its terms are
 * open.
 */
export function openTerms({ status, books, terms }: Pick<TimeDetail, "status" | "books" | "terms">): TermOffer[] {
  return status === "closed" || books.winding_down !== null ? [] : terms.filter((term) => term.open);
}
