import { findChain } from "@aqua/sdk/chains";
import { formatUnits } from "@aqua/sdk/maths/units";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { DepositOrder, WithdrawalOrder } from "../../wallet/chain/vault.ts";
import { estimateGas } from "../../wallet/operations.ts";
import { freshness } from "../freshness.ts";

/** Milliseconds of quiet typing before the node is asked. */
const typingPause = 400;
const nativeDecimals = 18;
const shownDigits = 6;

function useQuiet<Value>(value: Value): Value {
  const [quiet, setQuiet] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), typingPause);
    return () => clearTimeout(timer);
  }, [value]);
  return quiet;
}

/** What the network would charge for `order`, in words; null while unknown. `gasPrice` in the chain's smallest unit. */
export function useNetworkFee(order: DepositOrder | WithdrawalOrder | null, gasPrice: bigint | null): string | null {
  const parts = order && [order.terms.vault, order.owner, "assets" in order ? order.assets : order.allShares];
  const key = parts && [...("minShares" in order ? ["in"] : ["out"]), ...parts.map(String)].join("|");
  const quiet = useQuiet(key);
  const { data: gas } = useQuery({
    queryKey: ["gas", quiet],
    queryFn: () => (order === null ? null : estimateGas(order)),
    enabled: quiet !== null && quiet === key,
    retry: false,
    ...freshness.LAZY,
  });
  if (order === null || gas === null || gas === undefined || gasPrice === null) return null;
  const symbol = findChain(order.terms.chainId)?.native.symbol ?? "";
  const fee = gas * gasPrice;
  const smallest = 10n ** BigInt(nativeDecimals - shownDigits);
  if (fee < smallest) return t("transact.fee.tiny", { amount: formatAmount("0.000001", { digits: 6 }), symbol });
  // Cut digits would show less than is charged, so the last one is rounded up.
  const rounded = ((fee + smallest - 1n) / smallest) * smallest;
  const amount = formatAmount(formatUnits(rounded, nativeDecimals), { digits: shownDigits, minDigits: 0 });
  return t("transact.fee.about", { amount, symbol });
}
