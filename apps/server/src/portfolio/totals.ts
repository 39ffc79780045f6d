import type { AsOf } from "@aqua/sdk/api/envelope";
import type { TotalHoldValue } from "@aqua/sdk/api/portfolio";
import { formatUnits, rescale } from "@aqua/sdk/maths/units";
import { getAddress, type Hex } from "viem";
import { oldest } from "../indexer/stamp.ts";
import { isDollar, totalDecimals } from "./dollars.ts";
import { byProduct, claimableOf, exitOf, isHeld, type Position, type TimePosition } from "./positions.ts";

/**
 * Selects the positions whose asset is a dollar, and returns functions that add their amounts in one number of
 * decimals.
 */
export function inDollars<Of extends Position>(positions: readonly Of[]) {
  const counted = positions.filter(({ product }) => isDollar(product.assetSymbol));
  const decimals = totalDecimals(counted.map(({ product }) => product.assetDecimals));
  return {
    counted,
    amount: (units: bigint) => formatUnits(units, decimals),
    dollars: ({ product }: Pick<Position, "product">, units: bigint) => rescale(units, product.assetDecimals, decimals),
  };
}

/** Returns the total value of everything that some wallets hold. */
export function totalHoldValueOf(
  address: Hex,
  positions: readonly Position[],
  stamped: readonly AsOf[],
): TotalHoldValue {
  const { counted, amount, dollars } = inDollars(positions.filter(isHeld));
  const products = byProduct(counted);
  const sum = (of: readonly Position[]) =>
    of.reduce((total, position) => total + dollars(position, position.value), 0n);
  // Wallets in one product share the amount that can leave it at once, so it is computed per product.
  const together = (part: (same: readonly Position[]) => bigint) =>
    products.reduce((total, same) => total + (same[0] ? dollars(same[0], part(same)) : 0n), 0n);
  const next = nextCash(counted);
  return {
    address: getAddress(address),
    currency: "USD",
    unit: unitOf(counted),
    total: amount(sum(counted)),
    exit_value: amount(together(exitOf)),
    claimable: amount(together(claimableOf)),
    next_cash: next && {
      time: next.maturity * 1_000,
      amount: amount(dollars(next.position, next.paid)),
      short_id: next.position.product.shortId,
    },
    by_product: products.flatMap((same) =>
      same.slice(0, 1).map(({ product }) => ({ short_id: product.shortId, value: amount(sum(same)) })),
    ),
    as_of: oldest(stamped),
  };
}

/** Returns the symbol of the assets if all positions share one. Otherwise returns the currency of the total. */
function unitOf(positions: readonly Position[]): string {
  const [symbol, ...others] = new Set(positions.map(({ product }) => product.assetSymbol));
  return symbol !== undefined && others.length === 0 ? symbol : "USD";
}

interface Maturity {
  position: TimePosition;
  /** Unix seconds. */
  maturity: number;
  paid: bigint;
}

/**
 * Returns the next maturity that pays: the full amount, or only the interest if the principal is to be renewed. A
 * product that is winding down has none.
 */
function nextCash(positions: readonly Position[]): Maturity | null {
  let next: Maturity | null = null;
  for (const position of positions) {
    if (position.type !== "time_deposit" || position.current.books.claims > 0n) continue;
    for (const { receipt } of position.receipts) {
      const { maturity, roll, principal, interest } = receipt;
      const paid = roll === 0 ? principal + interest : roll === 1 ? interest : 0n;
      if (maturity * 1_000 <= position.asOf.time || paid === 0n) continue;
      if (next && maturity === next.maturity && position.product.address === next.position.product.address)
        next.paid += paid;
      else if (!next || maturity < next.maturity) next = { position, maturity, paid };
    }
  }
  return next;
}
