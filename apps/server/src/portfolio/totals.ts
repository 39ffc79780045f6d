import type { TotalHoldValue } from "@aqua/sdk/api/account";
import type { AsOf } from "@aqua/sdk/api/envelope";
import { formatUnits, rescale } from "@aqua/sdk/maths/units";
import { getAddress, type Hex } from "viem";
import { oldest } from "../indexer/stamp.ts";
import { isDollar, totalDecimals } from "./dollars.ts";
import { exitOf, isHeld, type Stake } from "./stakes.ts";

/** Stakes whose asset is a dollar, and how their amounts add up: in one number of decimals. */
export function inDollars<Of extends Stake>(stakes: readonly Of[]) {
  const counted = stakes.filter(({ product }) => isDollar(product.assetSymbol));
  const decimals = totalDecimals(counted.map(({ product }) => product.assetDecimals));
  return {
    counted,
    amount: (units: bigint) => formatUnits(units, decimals),
    dollars: ({ product }: Pick<Stake, "product">, units: bigint) => rescale(units, product.assetDecimals, decimals),
  };
}

/** Value of everything some wallets hold together. */
export function totalHoldValueOf(address: Hex, stakes: readonly Stake[], stamped: readonly AsOf[]): TotalHoldValue {
  const { counted, amount, dollars } = inDollars(stakes.filter(isHeld));
  const byProduct = new Map<string, Stake[]>();
  for (const stake of counted) {
    const key = `${stake.product.chainId}:${stake.product.address}`;
    byProduct.set(key, [...(byProduct.get(key) ?? []), stake]);
  }
  const sum = (of: readonly Stake[], part: (stake: Stake) => bigint) =>
    of.reduce((total, stake) => total + dollars(stake, part(stake)), 0n);
  // Wallets in one product share what can leave it at once.
  let exit = 0n;
  for (const same of byProduct.values()) {
    const [first] = same;
    if (first) exit += dollars(first, exitOf(same));
  }
  return {
    address: getAddress(address),
    currency: "USD",
    total: amount(sum(counted, ({ value }) => value)),
    exit_value: amount(exit),
    claimable: amount(sum(counted, ({ claimable }) => claimable)),
    next_cash: null,
    by_product: [...byProduct.values()].flatMap((same) =>
      same.slice(0, 1).map(({ product }) => ({
        short_id: product.shortId,
        value: amount(sum(same, ({ value }) => value)),
      })),
    ),
    as_of: oldest(stamped),
  };
}
