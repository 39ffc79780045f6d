import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

/**
 * Reads the logged-in account: e-mail, country, identity status, wallets. Fails with token_error if nobody is logged
 * in.
 */
export function accountInfoOptions() {
  return queryOptions({
    queryKey: [...queryKeys.me, "info"],
    queryFn: ({ signal }) => api.accountInfo(signal),
    ...freshness.LAZY,
  });
}

/** Fetches only while `enabled` (logged in). */
export function useAccountInfo(enabled: boolean) {
  return useQuery({ ...accountInfoOptions(), enabled });
}
