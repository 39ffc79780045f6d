import { getAddress } from "viem";
import { asOfOf, unitsOf } from "./productFigures.ts";
import { earningsUntil } from "./statementFigures.ts";
import type { ProductView, View } from "./view.ts";
import { isHeld, type Position, positionsOf, profitOf } from "./walletFigures.ts";

/** Unix milliseconds: from included, to excluded. */
export interface Period {
  from: number;
  to: number;
}

/** Amounts of one wallet in smallest units. */
type Amounts = Record<"value" | "claimable" | "cost" | "realised" | "unrealised" | "interest", bigint>;
type Income = Record<"paid_in" | "paid_out" | "earned" | "realised", bigint>;

interface Line {
  position: Position;
  amounts: Amounts;
  income: Income | null;
}

/**
 * The investor register of a product: every wallet that holds shares, receipts or claimable money after the view's
 * block, the largest value first. With a period also what each wallet paid, got and earned in it, and the wallets that
 * did so without holding anything now. Null if the chain does not have the product at that block.
 */
export function registerFigures(view: View, shortId: string, period: Period | null) {
  const of = view.products.find(({ product }) => product.shortId === shortId);
  if (of === undefined) return null;
  const narrow = { ...view, products: [of] };
  const lines = view
    .wallets()
    .flatMap((wallet) => positionsOf([narrow], wallet))
    .map((position): Line => {
      const { value, claimable, record } = position;
      const amounts = { value, claimable, cost: record.cost, ...profitOf(position) };
      return { position, amounts, income: period && incomeIn(of, position, period) };
    })
    .filter(({ position, income }) => isHeld(position) || Object.values(income ?? {}).some((amount) => amount !== 0n))
    .sort((a, b) => Number(b.amounts.value - a.amounts.value) || (a.position.wallet < b.position.wallet ? -1 : 1));
  const { product } = of;
  const { assets, shares } = unitsOf(product);
  const texts = <Name extends string>(amounts: Record<Name, bigint>) =>
    Object.fromEntries(Object.entries<bigint>(amounts).map(([name, amount]) => [name, assets(amount)])) as Record<
      Name,
      string
    >;
  const isDemand = of.type === "demand_deposit";
  const sharesOf = (units: bigint) => (isDemand ? shares(units) : null);
  return {
    short_id: shortId,
    type: of.type,
    chain_id: product.chainId,
    symbol: product.assetSymbol,
    decimals: product.assetDecimals,
    period,
    holders: lines.filter(({ position }) => isHeld(position)).length,
    total: {
      shares: sharesOf(lines.reduce((sum, { position }) => sum + position.record.shares, 0n)),
      ...texts(
        sumOf(
          noAmounts,
          lines.map(({ amounts }) => amounts),
        ),
      ),
      income:
        period &&
        texts(
          sumOf(
            noIncome,
            lines.flatMap(({ income }) => income ?? []),
          ),
        ),
    },
    items: lines.map(({ position, amounts, income }) => ({
      wallet: getAddress(position.wallet),
      shares: sharesOf(position.record.shares),
      pending_shares: sharesOf(position.record.pending),
      receipts: isDemand ? null : position.receipts.map(({ receipt }) => String(receipt.receiptId)),
      ...texts(amounts),
      cost_estimated: position.record.costEstimated,
      income: income && texts(income),
    })),
    as_of: asOfOf(view),
  };
}
export type Register = NonNullable<ReturnType<typeof registerFigures>>;

function incomeIn(of: ProductView, position: Position, { from, to }: Period): Income {
  const [before, after] = [earningsUntil(of, position, from), earningsUntil(of, position, to)];
  return {
    paid_in: after.paidIn - before.paidIn,
    paid_out: after.paidOut - before.paidOut,
    earned: after.earned - before.earned,
    realised: after.realised - before.realised,
  };
}

const noAmounts: Amounts = { value: 0n, claimable: 0n, cost: 0n, realised: 0n, unrealised: 0n, interest: 0n };
const noIncome: Income = { paid_in: 0n, paid_out: 0n, earned: 0n, realised: 0n };

function sumOf<Name extends string>(none: Record<Name, bigint>, all: readonly Record<Name, bigint>[]) {
  const names = Object.keys(none) as Name[];
  return all.reduce(
    (sum, one) => Object.fromEntries(names.map((name) => [name, sum[name] + one[name]])) as Record<Name, bigint>,
    none,
  );
}
