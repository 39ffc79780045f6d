import { useWallet } from "../../wallet/store.ts";
import { useTotalHoldValue } from "../portfolio/value.ts";

/** What the connected wallet has in each product, by short id; a product that is not there is 0. */
export interface MyBalances {
  /** Undefined while it is on its way. */
  values: Map<string, string> | undefined;
  failed: boolean;
}

/** Null without a wallet. */
export function useMyBalances(): MyBalances | null {
  const { address } = useWallet();
  const held = useTotalHoldValue(address);
  if (!address) return null;
  return {
    values: held.data && new Map(held.data.by_product.map(({ short_id, value }) => [short_id, value])),
    failed: held.isError,
  };
}
