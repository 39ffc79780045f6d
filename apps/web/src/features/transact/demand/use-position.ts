import type { DemandDetail } from "@aqua/sdk/api/product";
import { useQuery } from "@tanstack/react-query";
import { readPosition } from "../../../wallet/lazy/operations.ts";
import { freshness } from "../../freshness.ts";
import { queryKeys } from "../../query-keys.ts";
import { termsOf } from "../form/product-terms.ts";

/** Reads the wallet's balances and limits in this product from the chain. Idle without an address. */
export function usePosition(product: DemandDetail, address: `0x${string}` | null) {
  const terms = termsOf(product);
  return useQuery({
    queryKey: [...queryKeys.account(address ?? ""), "position", product.chain_id, product.contract],
    queryFn: () => {
      if (terms === null || address === null) throw new Error("The query has no product or no wallet address");
      return readPosition(terms, address);
    },
    enabled: terms !== null && address !== null,
    retry: 1,
    ...freshness.EAGER,
  });
}
