import type { TransactionKind } from "@aqua/sdk/api/portfolio";
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";
import { alsoQuery, type Scope, scopeKey } from "./scope.ts";

export interface ActivityQuery {
  page: number;
  page_size: number;
  kind?: TransactionKind;
  short_id?: string;
}

/** A page of the transactions of one or several wallets, newest first. */
export function useActivity({ address, also }: Scope, query: ActivityQuery) {
  const key = scopeKey(address, also, "activity");
  return useQuery({
    queryKey: [...key, query],
    queryFn: ({ signal }) => api.transactions(address, { ...query, ...alsoQuery(also) }, signal),
    placeholderData: (previous, last) => (last?.queryKey.slice(0, -1).join() === key.join() ? previous : undefined),
    ...freshness.EAGER,
  });
}

function pendingOptions(address: string) {
  return queryOptions({
    queryKey: [...queryKeys.account(address), "pending"],
    queryFn: ({ signal }) => api.pendingTransactions({ address, page_size: 100 }, signal),
    ...freshness.EAGER,
  });
}

/** Transactions that were sent according to the server and that are not in a block yet. */
export function usePendingTransactions({ address, also }: Scope) {
  return useQueries({
    queries: [address, ...also].map(pendingOptions),
    combine: (answers) => answers.flatMap((answer) => answer.data?.items ?? []),
  });
}
