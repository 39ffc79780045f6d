import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";

export const actsPageSize = 12;

export function actsOptions(page: number, shortId: string | null) {
  return queryOptions({
    queryKey: ["transparency", "acts", shortId, page] as const,
    queryFn: ({ signal }) =>
      api.privilegedActs({ page, page_size: actsPageSize, ...(shortId ? { short_id: shortId } : {}) }, signal),
    // Each row names its own product, so a previous page cannot be mistaken for another product's.
    placeholderData: keepPreviousData,
    ...freshness.LAZY,
  });
}

/** One page of the acts of role holders, newest first; of one product or of all. */
export function useActs(page: number, shortId: string | null) {
  return useQuery(actsOptions(page, shortId));
}
