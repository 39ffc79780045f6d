import type { Range } from "@aqua/sdk/api/product";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export function performanceOptions(shortId: string, range: Range) {
  return queryOptions({
    queryKey: [...queryKeys.product(shortId), "performance", range],
    queryFn: ({ signal }) => api.productPerformance(shortId, { range }, signal),
    // While another range loads, the previous range of the same product stays visible. Figures of another product are
    // never shown.
    placeholderData: (previous, query) => (query?.queryKey[1] === shortId ? previous : undefined),
    ...freshness.LAZY,
  });
}

/** Share price, APY windows, TVL and income reports of a product over a range. */
export function usePerformance(shortId: string, range: Range) {
  return useQuery(performanceOptions(shortId, range));
}
