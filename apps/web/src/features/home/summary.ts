import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

/** Under the products' key, so whatever refreshes them refreshes it. */
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
