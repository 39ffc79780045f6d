import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { alsoQuery, scopeKey } from "./scope.ts";

export function totalHoldValueOptions(address: string | null, also: readonly string[] = []) {
  return queryOptions({
    queryKey: scopeKey(address, also, "value"),
    queryFn: address ? ({ signal }) => api.totalHoldValue(address, alsoQuery(also), signal) : skipToken,
    ...freshness.EAGER,
  });
}

/** The value of a wallet's holdings, or of several wallets together. Does not fetch without an address. */
export function useTotalHoldValue(address: string | null, also: readonly string[] = []) {
  return useQuery(totalHoldValueOptions(address, also));
}
