import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export function holdingsOptions(address: string | null) {
  return queryOptions({
    queryKey: [...queryKeys.account(address ?? ""), "holdings"],
    queryFn: address ? ({ signal }) => api.hold(address, { page_size: 100 }, signal) : skipToken,
    ...freshness.EAGER,
  });
}

/** A wallet's stake in each product; idle without an address. */
export function useHoldings(address: string | null) {
  return useQuery(holdingsOptions(address));
}
