import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

/** The live proposals that another wallet takes the place of `wallet`. */
export function useRecoveries(wallet: string) {
  return useQuery(
    queryOptions({
      queryKey: [...queryKeys.account(wallet), "recoveries"] as const,
      queryFn: ({ signal }) => api.recoveries({ wallet }, signal),
      ...freshness.EAGER,
    }),
  );
}
