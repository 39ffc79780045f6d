import type { TimeDetail } from "@aqua/sdk/api/product";
import { useQuery } from "@tanstack/react-query";
import { readTermPosition } from "../../../wallet/lazy/operations.ts";
import { freshness } from "../../freshness.ts";
import { useHoldings } from "../../portfolio/holdings.ts";
import { queryKeys } from "../../query-keys.ts";
import { termsOf } from "../form/product-terms.ts";

/**
 * A wallet's state in a time deposit, read from the chain itself: its balances, the open terms, and those of its
 * receipts that the server lists. Idle without an address.
 */
export function useTermPosition(product: TimeDetail, address: `0x${string}` | null) {
  const terms = termsOf(product);
  const open = product.terms.filter((term) => term.open).map((term) => term.term_id);
  const { holdings, ...held } = useReceipts(product.short_id, address);
  const ids = holdings.flatMap((holding) => (holding.deposit_id === null ? [] : [holding.deposit_id]));
  const read = useQuery({
    queryKey: [
      ...queryKeys.account(address ?? ""),
      "term-position",
      product.chain_id,
      product.contract,
      open.join(),
      ids.join(),
    ],
    queryFn: () => {
      if (terms === null || address === null) throw new Error("Nothing to read");
      return readTermPosition(terms, address, { terms: open, receipts: ids.map(BigInt) });
    },
    // The list of receipts, which is part of the key, grows with every deposit; the data of the others stays meanwhile.
    placeholderData: (previous, query) => (query?.queryKey[1] === address?.toLowerCase() ? previous : undefined),
    enabled: terms !== null && address !== null && !held.isPending,
    retry: 1,
    ...freshness.EAGER,
  });
  return { read, holdings, held };
}

/** A wallet's receipts in one product, as the server lists them, the next to mature first. */
function useReceipts(shortId: string, address: string | null) {
  const { data, isPending, isError, refetch } = useHoldings(address);
  const holdings = (data?.items ?? [])
    .filter((holding) => holding.short_id === shortId && holding.receipt !== null)
    .sort((a, b) => (a.maturity ?? 0) - (b.maturity ?? 0));
  // A new deposit works without the server's list.
  return { holdings, isPending: isPending && address !== null && !isError, isError, refetch };
}
