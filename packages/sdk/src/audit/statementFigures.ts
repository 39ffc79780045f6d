import { getAddress, type Hex } from "viem";
import { formatUnits } from "../maths/units.ts";
import { poolAt } from "./demandFigures.ts";
import { oldestOf } from "./overviewFigures.ts";
import { transactionFigures, unitsOf } from "./productFigures.ts";
import type { PositionRow, ReceiptRow } from "./rows.ts";
import { collectable, heldOf, liveWalk, worthOf } from "./termFigures.ts";
import { type DemandView, isAfter, type ProductView, type TimeView, type View, versionAt } from "./view.ts";
import { everOwned, worthOfShares } from "./walletFigures.ts";

/** What the API must answer as a wallet's statement over all time, up to the block of the views. */

/** A wallet's balance in one product at one moment, in smallest units. */
interface Balance {
  shares: bigint | null;
  principal: bigint | null;
  claimable: bigint;
  value: bigint;
}

export function statementFigures(views: readonly View[], wallet: Hex) {
  const asOf = oldestOf(views);
  // The end is the oldest chain's block. The events of that moment count.
  const to = (asOf?.time ?? 0) + 1;
  const bound = boundAt(to);
  return {
    wallets: [getAddress(wallet)],
    from: 0,
    to,
    products: views.flatMap((view) => {
      const positions = view.positionsOf(wallet).filter(({ time }) => time <= bound.last);
      const demand = view.products.filter(({ type }) => type === "demand_deposit");
      const time = view.products.filter(({ type }) => type === "time_deposit");
      return [...demand, ...time].flatMap((of) => {
        const versions = positions.filter(({ product }) => product === of.product.address);
        return versions.length === 0 ? [] : [productStatement(of, { wallet, versions, ...bound })];
      });
    }),
    as_of: asOf,
  };
}

/** The end of a period, which does not belong to it. Unix seconds. */
interface Bound {
  /** The last second whose events belong to the period. */
  last: number;
  valuedAt: number;
}

const boundAt = (milliseconds: number): Bound => ({
  last: Math.ceil(milliseconds / 1_000) - 1,
  valuedAt: Math.floor(milliseconds / 1_000),
});

interface Span extends Bound {
  wallet: Hex;
  /** Not empty, and none after the end. */
  versions: readonly PositionRow[];
}

/**
 * What a wallet paid into a product, got out of it and earned from its first deposit until a moment, in smallest units.
 * `realised` is the part of the earnings that was paid out.
 * @param until Unix milliseconds; events of that moment do not count
 */
export function earningsUntil(
  of: ProductView,
  { wallet, versions: all }: Pick<Span, "wallet" | "versions">,
  until: number,
) {
  const bound = boundAt(until);
  const versions = all.filter(({ time }) => time <= bound.last);
  const newest = versions.at(-1);
  if (newest === undefined) return { paidIn: 0n, paidOut: 0n, earned: 0n, realised: 0n };
  const { value } = closingOf(of, { wallet, versions, ...bound });
  const { totalIn: paidIn, totalOut: paidOut, realised, interest } = newest;
  return { paidIn, paidOut, earned: value - paidIn + paidOut, realised: realised + interest };
}

const closingOf = (of: ProductView, span: Span) =>
  of.type === "demand_deposit" ? demandBalances(of, span).closing() : timeBalances(of, span).closing();

function productStatement(of: ProductView, span: Span) {
  const { product, movements } = of;
  const { assets, shares } = unitsOf(product);
  const tell = (balance: Balance) => ({
    shares: balance.shares === null ? null : shares(balance.shares),
    principal: balance.principal === null ? null : assets(balance.principal),
    claimable: assets(balance.claimable),
    value: assets(balance.value),
  });
  const balances = of.type === "demand_deposit" ? demandBalances(of, span) : timeBalances(of, span);
  const after = balances.after();
  const closing = balances.closing();
  const own = new Map(
    movements.filter(({ wallet }) => wallet === span.wallet).map((one) => [`${one.block}:${one.logIndex}`, one]),
  );
  const lines = [];
  let [value, allIn, allOut] = [0n, 0n, 0n];
  for (const [index, version] of span.versions.entries()) {
    const before = span.versions[index - 1] ?? { totalIn: 0n, totalOut: 0n };
    const [paidIn, paidOut] = [version.totalIn - before.totalIn, version.totalOut - before.totalOut];
    allIn += paidIn;
    allOut += paidOut;
    const movement = own.get(`${version.block}:${version.logIndex}`);
    const balance = after[index];
    if (!movement || !balance) continue;
    const { time, hash, kind, deposit_id, shares: moved, price, description } = transactionFigures(movement, product);
    lines.push({
      time,
      block: movement.block,
      log_index: movement.logIndex,
      hash,
      wallet: getAddress(movement.wallet),
      kind,
      deposit_id,
      amount: assets(movement.assets),
      shares: moved,
      price,
      fee: assets(movement.fee),
      description,
      paid_in: assets(paidIn),
      paid_out: assets(paidOut),
      earned: assets(balance.value - value - paidIn + paidOut),
      balance: tell(balance),
    });
    value = balance.value;
  }
  const empty = of.type === "demand_deposit" ? { shares: 0n, principal: null } : { shares: null, principal: 0n };
  return {
    short_id: product.shortId,
    type: of.type,
    chain_id: product.chainId,
    symbol: product.assetSymbol,
    decimals: product.assetDecimals,
    opening: tell({ ...empty, claimable: 0n, value: 0n }),
    closing: tell(closing),
    paid_in: assets(allIn),
    paid_out: assets(allOut),
    earned: formatUnits(closing.value - allIn + allOut, product.assetDecimals),
    lines,
  };
}

function demandBalances({ vaults }: DemandView, { versions, last, valuedAt }: Span) {
  const balance = (position: PositionRow, vault: (typeof vaults)[number] | undefined, time: number): Balance => ({
    shares: position.shares,
    principal: null,
    claimable: position.claimable,
    value: vault ? worthOfShares(position, poolAt(vault, time)) : 0n,
  });
  const newest = versions.at(-1) as PositionRow;
  return {
    after: () =>
      versions.map((version) =>
        balance(
          version,
          vaults.findLast((vault) => !isAfter(vault, version)),
          version.time,
        ),
      ),
    closing: () => balance(newest, versionAt(vaults, last), valuedAt),
  };
}

function timeBalances(of: TimeView, { wallet, versions, last, valuedAt }: Span) {
  const walk = liveWalk(everOwned(of, wallet), wallet);
  const balance = (live: readonly ReceiptRow[], books: TimeView["books"] | undefined, time: number): Balance => {
    const held = heldOf(of, live);
    return {
      shares: null,
      principal: live.reduce((sum, { principal }) => sum + principal, 0n),
      claimable: books ? collectable(held, books, time) : 0n,
      value: books ? worthOf(held, books, time) : 0n,
    };
  };
  return {
    after: () =>
      versions.map((version) =>
        balance(
          walk((receipt) => !isAfter(receipt, version)),
          of.states.findLast((state) => !isAfter(state, version)),
          version.time,
        ),
      ),
    closing: () =>
      balance(
        walk(({ time }) => time <= last),
        versionAt(of.states, last),
        valuedAt,
      ),
  };
}
