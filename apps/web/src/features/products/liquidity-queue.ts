import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export const queuePageSize = 12;

export function queueOptions(shortId: string, wallet: string | null, page: number) {
  return queryOptions({
    queryKey: [...queryKeys.product(shortId), "queue", wallet?.toLowerCase() ?? null, page],
    queryFn: ({ signal }) =>
      api.productQueue(shortId, { page, page_size: queuePageSize, ...(wallet ? { wallets: wallet } : {}) }, signal),
    // While another page loads, the previous one stays; another product's queue never does.
    placeholderData: (previous, query) => (query?.queryKey[1] === shortId ? previous : undefined),
    ...freshness.EAGER,
  });
}

/** One page of a redemption queue, the visitor's own requests first. */
export function useQueue(shortId: string, wallet: string | null, page: number) {
  return useQuery(queueOptions(shortId, wallet, page));
}
