import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export function liquidityOptions(shortId: string) {
  return queryOptions({
    queryKey: [...queryKeys.product(shortId), "liquidity"],
    queryFn: ({ signal }) => api.productLiquidity(shortId, signal),
    ...freshness.EAGER,
  });
}

/** A product's liquidity: what can be withdrawn now, what waits, how long it takes, and their history. */
export function useLiquidity(shortId: string) {
  return useQuery(liquidityOptions(shortId));
}
