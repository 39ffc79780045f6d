import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export function productOptions(shortId: string) {
  return queryOptions({
    queryKey: queryKeys.product(shortId),
    queryFn: ({ signal }) => api.product(shortId, signal),
    ...freshness.EAGER,
  });
}

/** One product; fails with `pool_not_found` for an unknown shortId. */
export function useProduct(shortId: string) {
  return useQuery(productOptions(shortId));
}
