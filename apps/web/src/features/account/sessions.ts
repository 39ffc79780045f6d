import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export function sessionsOptions() {
  return queryOptions({
    queryKey: [...queryKeys.me, "sessions"],
    queryFn: ({ signal }) => api.sessions(signal),
    ...freshness.LAZY,
  });
}

/** The account's sessions. */
export function useSessions() {
  return useQuery(sessionsOptions());
}
