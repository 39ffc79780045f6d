import type { Order } from "@aqua/sdk/chain/orders";
import { findChain } from "@aqua/sdk/chains";
import { formatUnits } from "@aqua/sdk/maths/units";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { formatAmount } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import type { Orders } from "../../../wallet/chain/operations.ts";
import { estimateGas } from "../../../wallet/lazy/operations.ts";
import { freshness } from "../../freshness.ts";

/** Milliseconds after the last keystroke before the node is queried. */
const typingPause = 400;
const nativeDecimals = 18;
const shownDigits = 6;

function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), typingPause);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

/** The parts of an order that change its gas. Limits that follow the price do not change it. */
function keyOf({ terms, owner, action, ...rest }: Order): string {
  const numbers = "assets" in rest ? rest.assets : "shares" in rest ? rest.shares : "id" in rest ? rest.id : "";
  return [action, terms.contract, owner, numbers, "termId" in rest ? rest.termId : ""].map(String).join("|");
}

/** Text of the network fee for `orders`; null while unknown. `gasPrice` in the chain's smallest unit. */
export function useNetworkFee(orders: Orders | null, gasPrice: bigint | null): string | null {
  const key = orders?.map(keyOf).join(" ") ?? null;
  const debounced = useDebounced(key);
  const { data: gas } = useQuery({
    queryKey: ["gas", debounced],
    queryFn: () => (orders === null ? null : estimateGas(orders)),
    enabled: debounced !== null && debounced === key,
    retry: false,
    ...freshness.LAZY,
  });
  if (orders === null || gas === null || gas === undefined || gasPrice === null) return null;
  const symbol = findChain(orders[0].terms.chainId)?.native.symbol ?? "";
  const fee = gas * gasPrice;
  const smallest = 10n ** BigInt(nativeDecimals - shownDigits);
  if (fee < smallest) return t("transact.fee.tiny", { amount: formatAmount("0.000001", { digits: 6 }), symbol });
  // Truncation would show less than the charged fee, so the last digit is rounded up.
  const rounded = ((fee + smallest - 1n) / smallest) * smallest;
  const amount = formatAmount(formatUnits(rounded, nativeDecimals), { digits: shownDigits, minDigits: 0 });
  return t("transact.fee.about", { amount, symbol });
}
