import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";

export function transparencyOptions() {
  return queryOptions({
    queryKey: ["transparency", "summary"] as const,
    queryFn: ({ signal }) => api.transparencySummary(signal),
    ...freshness.EAGER,
  });
}

/** Reserves of every product, contracts, and who holds which role. */
export function useTransparency() {
  return useQuery(transparencyOptions());
}
