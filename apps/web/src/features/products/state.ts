import type { Product } from "@aqua/sdk/api/product";
import { compareAmounts } from "../decimal.ts";

/** Whether a product takes deposits now, and if not why, the most lasting reason first. */
export type ProductState = "closed" | "paused" | "termless" | "capped" | "open";

/** What decides it. */
export type StateFields = Pick<Product, "type" | "status" | "tvl" | "cap" | "paused_until" | "as_of" | "term">;

export function stateOf({ type, status, tvl, cap, paused_until, as_of, term }: StateFields): ProductState {
  if (status === "closed") return "closed";
  if (paused_until !== null && paused_until > as_of.time) return "paused";
  if (type === "time_deposit" && term === null) return "termless";
  // A time deposit's cap counts principal only, its terms tell what room there is.
  if (type === "demand_deposit" && compareAmounts(tvl, cap) >= 0) return "capped";
  return "open";
}
