import type { Range } from "@aqua/sdk/api/product";
import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { alsoQuery, scopeKey } from "./scope.ts";

export function totalProfitOptions(address: string | null, range: Range, also: readonly string[] = []) {
  return queryOptions({
    queryKey: [...scopeKey(address, also, "profit"), range],
    queryFn: address ? ({ signal }) => api.totalProfit(address, { range, ...alsoQuery(also) }, signal) : skipToken,
    // While another range of the same wallets loads, the previous line stays.
    placeholderData: (previous, query) =>
      query?.queryKey.slice(0, -1).join() === scopeKey(address, also, "profit").join() ? previous : undefined,
    ...freshness.EAGER,
  });
}

/** A wallet's profit, split into its parts, with its history over `range`. */
export function useTotalProfit(address: string | null, range: Range, also: readonly string[] = []) {
  return useQuery(totalProfitOptions(address, range, also));
}
