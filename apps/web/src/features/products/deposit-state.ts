import type { Product, TermOffer, TimeDetail } from "@aqua/sdk/api/product";
import { compareAmounts, sumAmounts } from "../decimal.ts";

/** Whether a product takes deposits now; if not why, the most permanent reason first. */
export type ProductState = "closed" | "paused" | "termless" | "capped" | "open";

/** The fields that decide it. */
export type StateFields = Pick<
  Product,
  "type" | "status" | "cap" | "cap_used" | "min_deposit" | "paused_until" | "as_of" | "term"
>;

export function stateOf(product: StateFields): ProductState {
  const { type, status, cap, cap_used, min_deposit, paused_until, as_of, term } = product;
  if (status === "closed") return "closed";
  if (paused_until !== null && paused_until > as_of.time) return "paused";
  if (type === "time_deposit" && term === null) return "termless";
  // Room for less than the minimum is no room.
  if (compareAmounts(cap_used, cap) >= 0 || compareAmounts(sumAmounts([cap_used, min_deposit]), cap) > 0)
    return "capped";
  return "open";
}

/**
 * The terms a deposit can be opened under; none for a product that is closed or being wound down, whatever the terms
 * say.
 */
export function openTerms({ status, books, terms }: Pick<TimeDetail, "status" | "books" | "terms">): TermOffer[] {
  return status === "closed" || books.winding_down !== null ? [] : terms.filter((term) => term.open);
}
