import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import { freshness } from "./freshness.ts";
import { queryKeys } from "./query-keys.ts";

export function networkOptions() {
  return queryOptions({
    queryKey: queryKeys.network,
    queryFn: ({ signal }) => api.network(signal),
    ...freshness.LAZY,
    refetchInterval: 60_000,
  });
}

/** Reads the version, the chains with their contracts and heads, and whether there is a faucet. */
export function useNetwork() {
  return useQuery(networkOptions());
}
