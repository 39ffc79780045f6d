import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

/** Scheduled changes of a product's fee and custodian, beside the exit of the given wallets of one holder. */
export function useAnnouncements(shortId: string, wallets: readonly string[]) {
  const key = wallets.map((wallet) => wallet.toLowerCase());
  return useQuery({
    queryKey: [...queryKeys.product(shortId), "announcements", ...key] as const,
    queryFn: ({ signal }) => api.announcements(shortId, key.length > 0 ? { wallets: key.join(",") } : {}, signal),
    ...freshness.LAZY,
  });
}
