import type { TimeDetail } from "@aqua/sdk/api/product";
import { useQuery } from "@tanstack/react-query";
import { readTermPosition } from "../../../wallet/lazy/operations.ts";
import { freshness } from "../../freshness.ts";
import { useHoldings } from "../../portfolio/holdings.ts";
import { queryKeys } from "../../query-keys.ts";
import { termsOf } from "../form/product-terms.ts";

/**
 * A wallet's state in a time deposit, read from the chain at one block: its balances, the open terms, and one of its
 * receipts, so that no action depends on other receipts. Idle without an address, and while not `wanted`.
 */
export function useTermPosition(
  product: TimeDetail,
  address: `0x${string}` | null,
  { receipt = null, wanted = true }: { receipt?: string | null; wanted?: boolean } = {},
) {
  const terms = termsOf(product);
  const open = product.terms.filter((term) => term.open).map((term) => term.term_id);
  const { chain_id, contract } = product;
  return useQuery({
    queryKey: [...queryKeys.account(address ?? ""), "term-position", chain_id, contract, open.join(), receipt],
    queryFn: () => {
      if (terms === null || address === null) throw new Error("The query has no product or no wallet address");
      const id = receipt === null ? null : BigInt(receipt);
      return readTermPosition({ product: terms, account: address, terms: open, receipt: id });
    },
    enabled: wanted && terms !== null && address !== null,
    retry: 1,
    ...freshness.EAGER,
  });
}

/** A wallet's receipts in one product, as the server lists them; the next to mature comes first. */
export function useReceipts(shortId: string, address: string | null) {
  const { data, isPending, isError, refetch } = useHoldings(address);
  const holdings = (data?.items ?? [])
    .filter((holding) => holding.short_id === shortId && holding.receipt !== null)
    .sort((a, b) => (a.maturity ?? 0) - (b.maturity ?? 0));
  return { holdings, isPending: isPending && address !== null && !isError, isError, refetch };
}
