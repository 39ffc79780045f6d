import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

/** Reads what protects the logged-in account. */
export function securityOptions() {
  return queryOptions({
    queryKey: [...queryKeys.me, "security"],
    queryFn: ({ signal }) => api.security(signal),
    ...freshness.LAZY,
  });
}

export function useSecurity() {
  return useQuery(securityOptions());
}

const pageSize = 10;

/** Reads what happened on the account, newest first, page by page. */
export function eventsOptions() {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.me, "events"],
    queryFn: ({ pageParam, signal }) => api.securityEvents({ page: pageParam, page_size: pageSize }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ page, total }) => (page * pageSize < total ? page + 1 : undefined),
    ...freshness.LAZY,
  });
}
