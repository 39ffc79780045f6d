import type { TransactionKind } from "@aqua/sdk/api/account";
import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export interface ActivityQuery {
  page: number;
  page_size: number;
  kind?: TransactionKind;
  short_id?: string;
}

export function activityOptions(address: string | null, query: ActivityQuery) {
  return queryOptions({
    queryKey: [...queryKeys.account(address ?? ""), "activity", query],
    queryFn: address ? ({ signal }) => api.transactions(address, query, signal) : skipToken,
    placeholderData: (previous, last) => (last?.queryKey[1] === address?.toLowerCase() ? previous : undefined),
    ...freshness.EAGER,
  });
}

/** A page of a wallet's transactions, newest first; idle without an address. */
export function useActivity(address: string | null, query: ActivityQuery) {
  return useQuery(activityOptions(address, query));
}

export function pendingOptions(address: string | null) {
  return queryOptions({
    queryKey: [...queryKeys.account(address ?? ""), "pending"],
    queryFn: address ? ({ signal }) => api.pendingTransactions({ address }, signal) : skipToken,
    ...freshness.EAGER,
  });
}

/** Transactions that were sent and are not yet in a block, as the server remembers them. */
export function usePendingTransactions(address: string | null) {
  return useQuery(pendingOptions(address));
}
