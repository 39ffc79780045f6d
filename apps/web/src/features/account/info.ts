import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

/** The account that is logged in: e-mail, country, identity status, wallets. Fails with token_error when nobody is. */
export function accountInfoOptions() {
  return queryOptions({
    queryKey: [...queryKeys.me, "info"],
    queryFn: ({ signal }) => api.accountInfo(signal),
    ...freshness.LAZY,
  });
}

/** Asks only while `enabled`: logged in. */
export function useAccountInfo(enabled: boolean) {
  return useQuery({ ...accountInfoOptions(), enabled });
}
