import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

export function totalHoldValueOptions(address: string | null) {
  return queryOptions({
    queryKey: [...queryKeys.account(address ?? ""), "value"],
    queryFn: address ? ({ signal }) => api.totalHoldValue(address, {}, signal) : skipToken,
    ...freshness.EAGER,
  });
}

/** What a wallet's holdings are worth; idle without an address. */
export function useTotalHoldValue(address: string | null) {
  return useQuery(totalHoldValueOptions(address));
}
