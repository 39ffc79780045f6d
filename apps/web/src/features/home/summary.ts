import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

/** Below the key of the products, so that whatever invalidates them invalidates it. */
export function summaryOptions() {
  return queryOptions({
    queryKey: [...queryKeys.products, "summary"],
    queryFn: ({ signal }) => api.productSummary(signal),
    ...freshness.LAZY,
  });
}

/** Figures of the whole instance. */
export function useSummary() {
  return useQuery(summaryOptions());
}
