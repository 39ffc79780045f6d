import type { Liquidity } from "@aqua/sdk/api/product";
import { parseUnits } from "@aqua/sdk/maths/units";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api.ts";
import { freshness } from "../../freshness.ts";
import { queryKeys } from "../../query-keys.ts";

/**
 * How long an exit of `amount` (smallest units) takes, in milliseconds: the estimate for the next larger amount on the
 * curve, so too long rather than too short. Null where the history is too short.
 */
export function waitOf(curve: Liquidity["exit_curve"], amount: bigint, decimals: number): Liquidity["wait"] {
  const next = curve.find((point) => parseUnits(point.amount, decimals) >= amount);
  return next?.wait ?? null;
}

/** The same for a product; fetches only while there is an amount that has to wait. Undefined while loading. */
export function useExitWait(shortId: string, amount: bigint | null, decimals: number): Liquidity["wait"] | undefined {
  const { data } = useQuery({
    queryKey: [...queryKeys.product(shortId), "liquidity"],
    queryFn: ({ signal }) => api.productLiquidity(shortId, signal),
    enabled: amount !== null,
    retry: 1,
    ...freshness.LAZY,
  });
  return data === undefined || amount === null ? undefined : waitOf(data.exit_curve, amount, decimals);
}
