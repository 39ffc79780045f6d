import type { AsOf } from "@aqua/sdk/api/envelope";
import type { TotalHoldValue } from "@aqua/sdk/api/portfolio";
import { formatUnits, rescale } from "@aqua/sdk/maths/units";
import { getAddress, type Hex } from "viem";
import { oldest } from "../indexer/stamp.ts";
import { isDollar, totalDecimals } from "./dollars.ts";
import { byProduct, claimableOf, exitOf, isHeld, type Stake, type TimeStake } from "./stakes.ts";

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
  const products = byProduct(counted);
  const sum = (of: readonly Stake[]) => of.reduce((total, stake) => total + dollars(stake, stake.value), 0n);
  // Wallets in one product share what can leave it at once.
  const together = (part: (same: readonly Stake[]) => bigint) =>
    products.reduce((total, same) => total + (same[0] ? dollars(same[0], part(same)) : 0n), 0n);
  const next = nextCash(counted);
  return {
    address: getAddress(address),
    currency: "USD",
    total: amount(sum(counted)),
    exit_value: amount(together(exitOf)),
    claimable: amount(together(claimableOf)),
    next_cash: next && {
      time: next.maturity * 1_000,
      amount: amount(dollars(next.stake, next.paid)),
      short_id: next.stake.product.shortId,
    },
    by_product: products.flatMap((same) =>
      same.slice(0, 1).map(({ product }) => ({ short_id: product.shortId, value: amount(sum(same)) })),
    ),
    as_of: oldest(stamped),
  };
}

interface Maturity {
  stake: TimeStake;
  /** Unix seconds. */
  maturity: number;
  paid: bigint;
}

/** The next maturity that pays: all of it, or the interest where the principal is to start anew. A winding down has none. */
function nextCash(stakes: readonly Stake[]): Maturity | null {
  let next: Maturity | null = null;
  for (const stake of stakes) {
    if (stake.type !== "time_deposit" || stake.current.books.claims > 0n) continue;
    for (const { receipt } of stake.receipts) {
      const { maturity, roll, principal, interest } = receipt;
      const paid = roll === 0 ? principal + interest : roll === 1 ? interest : 0n;
      if (maturity * 1_000 <= stake.asOf.time || paid === 0n) continue;
      if (next && maturity === next.maturity && stake.product.address === next.stake.product.address) next.paid += paid;
      else if (!next || maturity < next.maturity) next = { stake, maturity, paid };
    }
  }
  return next;
}
