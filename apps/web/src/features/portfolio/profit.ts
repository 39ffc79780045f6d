import type { Range } from "@aqua/sdk/api/product";
import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export function totalProfitOptions(address: string | null, range: Range) {
  return queryOptions({
    queryKey: [...queryKeys.account(address ?? ""), "profit", range],
    queryFn: address ? ({ signal }) => api.totalProfit(address, { range }, signal) : skipToken,
    placeholderData: (previous, query) => (query?.queryKey[1] === address?.toLowerCase() ? previous : undefined),
    ...freshness.EAGER,
  });
}

/** What a wallet has earned, split, with its history over `range`. */
export function useTotalProfit(address: string | null, range: Range) {
  return useQuery(totalProfitOptions(address, range));
}
