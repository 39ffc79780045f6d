import type { Announcements } from "@aqua/sdk/api/notices";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

/**
 * Reads scheduled changes of a product's fee and custodian together with the exit times of the given wallets, which
 * belong to one holder. No wallets means no exit time. Until the exit is known, shows the changes alone if they are
 * loaded. Fetches only while `enabled`.
 */
export function useAnnouncements(shortId: string, wallets: readonly string[], enabled = true) {
  const queries = useQueryClient();
  const keyWithoutWallets = [...queryKeys.product(shortId), "announcements"] as const;
  const key = wallets.map((wallet) => wallet.toLowerCase());
  return useQuery({
    queryKey: [...keyWithoutWallets, ...key] as const,
    queryFn: ({ signal }) => api.announcements(shortId, key.length > 0 ? { wallets: key.join(",") } : {}, signal),
    placeholderData: () => queries.getQueryData<Announcements>(keyWithoutWallets),
    enabled,
    ...freshness.LAZY,
  });
}
