import type { Performance } from "@aqua/sdk/api/product";
import { DAY_MS } from "@aqua/sdk/durations";
import { type Apy, apyBetween } from "@aqua/sdk/maths/apy";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";

type Observation = Performance["series"][number];
type Price = "share_price" | "gross_price";

/** Decimals of a share price in the API. */
const priceDigits = 18;

const observed = ({ time, share_price }: Observation) =>
  share_price === null ? null : { time: BigInt(Math.floor(time / 1000)), price: parseUnits(share_price, priceDigits) };

/**
 * The value at each observation of `amount` whole units invested at the first known price, with `decimals` digits,
 * rounded down; null where the price is unknown.
 */
export function growthOf({
  series,
  price,
  amount,
  decimals = 2,
}: {
  series: readonly Observation[];
  price: Price;
  amount: bigint;
  decimals?: number;
}) {
  const prices = series.map((point) => (point[price] === null ? null : parseUnits(point[price], priceDigits)));
  const first = prices.find((value) => value !== null && value > 0n) ?? null;
  return series.map((point, index) => {
    const value = prices[index] ?? null;
    return {
      time: point.time,
      value:
        first === null || value === null
          ? null
          : formatUnits((amount * 10n ** BigInt(decimals) * value) / first, decimals),
    };
  });
}

/**
 * Net APY of the `days` before each observation, from the latest earlier price in `past` (the product's whole history,
 * ascending) and the actual time between the two. Null where the history does not reach back that far.
 */
export function trailingApy(series: readonly Observation[], past: readonly Observation[], days: number) {
  let earlierIndex = 0;
  return series.map((point) => {
    const now = observed(point);
    while (earlierIndex + 1 < past.length && (past[earlierIndex + 1]?.time ?? 0) <= point.time - days * DAY_MS)
      earlierIndex += 1;
    const candidate = past[earlierIndex];
    const earlier = candidate && candidate.time <= point.time - days * DAY_MS ? observed(candidate) : null;
    const apy: Apy = now && earlier ? apyBetween(earlier, now) : { value: null, annualised: false };
    return { time: point.time, value: apy.annualised ? apy.value : null };
  });
}
