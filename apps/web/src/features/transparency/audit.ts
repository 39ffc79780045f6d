import type { AuditSummary } from "@aqua/sdk/api/transparency";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";

/** What the site's own audit of its stored figures says. */
export function useAudit() {
  return useQuery({
    queryKey: ["transparency", "audit"] as const,
    queryFn: ({ signal }) => api.audit(signal),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
}

/** The findings that concern a product and are not corrected. Those that name no product concern all of their chain. */
export function openFindingsOf(
  { findings }: AuditSummary,
  { chain_id, contract }: { chain_id: number; contract: string },
): AuditSummary["findings"] {
  return findings.filter(
    (one) =>
      one.healed === null &&
      one.chain_id === chain_id &&
      (one.product === null || one.product === contract.toLowerCase()),
  );
}
