import { useWallet } from "../../wallet/store.ts";
import { useTotalHoldValue } from "../portfolio/value.ts";

/** The connected wallet's balance in each product, by short id; a missing product is 0, a withheld balance null. */
export interface MyBalances {
  /** Undefined while loading. */
  values: Map<string, string | null> | undefined;
  failed: boolean;
}

/** Null without a wallet. */
export function useMyBalances(): MyBalances | null {
  const { address } = useWallet();
  const holdValue = useTotalHoldValue(address);
  if (!address) return null;
  return {
    values: holdValue.data && new Map(holdValue.data.by_product.map(({ short_id, value }) => [short_id, value])),
    failed: holdValue.isError,
  };
}
