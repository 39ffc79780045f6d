import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";

export const batchesPageSize = 10;

function batchesOptions(page: number, shortId: string | null) {
  return queryOptions({
    queryKey: ["transparency", "anchors", shortId, page] as const,
    queryFn: ({ signal }) =>
      api.anchors({ page, page_size: batchesPageSize, ...(shortId && { short_id: shortId }) }, signal),
    // Each row names its own product, so a previous page cannot be mistaken for another product's.
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
}

/** One page of the batches on chain, newest first; of one product or of all. */
export function useBatches(page: number, shortId: string | null) {
  return useQuery(batchesOptions(page, shortId));
}
