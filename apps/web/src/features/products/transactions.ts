import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export function productTransactionsOptions(shortId: string, page: number, pageSize: number) {
  return queryOptions({
    queryKey: [...queryKeys.product(shortId), "transactions", page, pageSize],
    queryFn: ({ signal }) => api.productTransactions(shortId, { page, page_size: pageSize }, signal),
    // While another page of the same product loads, the previous rows stay.
    placeholderData: (previous, query) => (query?.queryKey[1] === shortId ? previous : undefined),
    ...freshness.LAZY,
  });
}

/** One page of a product's transactions, newest first. */
export function useProductTransactions(shortId: string, page: number, pageSize: number) {
  return useQuery(productTransactionsOptions(shortId, page, pageSize));
}
