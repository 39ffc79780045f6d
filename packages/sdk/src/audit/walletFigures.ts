import { getAddress, type Hex } from "viem";
import { type Pool, previewRedeem, sharePriceDecimals } from "../maths/shares.ts";
import { quotedApy, timeUnits } from "../maths/term.ts";
import { formatUnits, mulDivFloor, rescale, smaller } from "../maths/units.ts";
import { type CashFlow, xirr } from "../maths/xirr.ts";
import { capacityAt, headlineApy, pastDays, poolAt, waitInQueue, waitingIn } from "./demandFigures.ts";
import { oldestOf } from "./overviewFigures.ts";
import { asOfOf, formatRatio, millis, transactionFigures, unitsOf } from "./productFigures.ts";
import type { PositionRow, ProductRow, ReceiptRow } from "./rows.ts";
import { chartMoments } from "./series.ts";
import {
  collectable,
  exitOfReceipt,
  type Held,
  heldOf,
  liveReceipts,
  liveWalk,
  withdrawable,
  worthOf,
} from "./termFigures.ts";
import { type DemandView, type TimeView, type View, versionAt } from "./view.ts";

/** What the API must answer about one wallet. */

/** A wallet's position in one product, now or in the past. */
interface PositionIn<Of> {
  view: View;
  of: Of;
  product: ProductRow;
  wallet: Hex;
  /** Every version, and the newest of them. */
  versions: readonly PositionRow[];
  record: PositionRow;
  /** False for a wallet without an identity record or with a frozen one. */
  mayLeave: boolean;
  value: bigint;
  claimable: bigint;
  receipts: readonly Held[];
}
export type Position = PositionIn<DemandView> | PositionIn<TimeView>;

const isDemand = (position: Position): position is PositionIn<DemandView> => position.of.type === "demand_deposit";
const isTime = (position: Position): position is PositionIn<TimeView> => position.of.type === "time_deposit";

/** The positions of a wallet in the order of the products' listing. */
export function positionsOf(views: readonly View[], wallet: Hex): Position[] {
  return views.flatMap((view) => {
    const all = view.positionsOf(wallet);
    return view.products.flatMap((of): Position[] => {
      const versions = all.filter(({ product }) => product === of.product.address);
      const record = versions.at(-1);
      if (record === undefined) return [];
      const mayLeave = view.isFrozen(wallet) === false;
      const common = { view, product: of.product, wallet, versions, record, mayLeave };
      if (of.type === "demand_deposit") {
        const value = worthOfShares(record, poolAt(of.vault, view.time));
        return [{ ...common, of, value, claimable: record.claimable, receipts: [] }];
      }
      const receipts = liveReceipts(of).filter(({ receipt }) => receipt.owner === wallet);
      const value = worthOf(receipts, of.books, view.time);
      return [{ ...common, of, value, claimable: collectable(receipts, of.books, view.time), receipts }];
    });
  });
}

/** Shares of the wallet and of its requests at the pool's price, and the amount that the queue has set aside. */
export function worthOfShares({ shares, claimable }: Pick<PositionRow, "shares" | "claimable">, pool: Pool): bigint {
  return previewRedeem(shares, pool) + claimable;
}

export const isHeld = ({ record }: Position) => record.shares > 0n || record.claimable > 0n || record.receipts > 0;

function exitOf(position: Position): bigint {
  if (!position.mayLeave) return 0n;
  const { time } = position.view;
  if (isTime(position)) return withdrawable(position.receipts, position.of, time);
  if (!isDemand(position)) return 0n;
  const { record, of } = position;
  const atOnce = previewRedeem(record.shares - record.pending, poolAt(of.vault, time));
  return record.claimable + smaller(atOnce, capacityAt(of.vault, time));
}

export function profitOf(position: Position) {
  const { record, value } = position;
  const { cost, realised, interest, claimable } = record;
  if (isTime(position)) return { realised, unrealised: 0n, interest: interest + value - cost };
  return { realised, unrealised: value - claimable - cost, interest };
}

/** The holdings of a wallet, the largest first. */
export function holdFigures(views: readonly View[], wallet: Hex) {
  const items = positionsOf(views, wallet)
    .filter(isHeld)
    .flatMap((position): { position: Position; value: bigint; held: Held | null }[] => {
      if (!isTime(position)) return [{ position, value: position.value, held: null }];
      const { books } = position.of;
      return position.receipts.map((held) => ({
        position,
        value: worthOf([held], books, position.view.time),
        held,
      }));
    });
  const comparable = ({ position, value }: (typeof items)[number]) =>
    rescale(value, position.product.assetDecimals, 255);
  return items
    .toSorted((a, b) => {
      const [one, other] = [comparable(a), comparable(b)];
      if (one !== other) return one < other ? 1 : -1;
      return (
        a.position.product.shortId.localeCompare(b.position.product.shortId) ||
        Number((a.held?.receipt.receiptId ?? 0n) - (b.held?.receipt.receiptId ?? 0n))
      );
    })
    .map(({ position, value, held }) => ({
      short_id: position.product.shortId,
      withheld: false,
      wallet: getAddress(wallet),
      type: position.of.type,
      chain_id: position.product.chainId,
      symbol: position.product.assetSymbol,
      decimals: position.product.assetDecimals,
      value: unitsOf(position.product).assets(value),
      ...(held && isTime(position) ? receiptFigures(position, held, value) : shareFigures(position)),
      as_of: asOfOf(position.view),
    }));
}

function shareFigures(position: Position) {
  const { record, product, of, view } = position;
  const { assets, shares } = unitsOf(product);
  const profit = profitOf(position);
  const scale = 10n ** BigInt(sharePriceDecimals + product.shareDecimals - product.assetDecimals);
  return {
    shares: shares(record.shares - record.pending),
    deposit_id: null,
    receipt: null,
    principal: assets(record.cost),
    exit_value: assets(exitOf(position)),
    average_cost:
      record.shares === 0n ? null : formatUnits(mulDivFloor(record.cost, scale, record.shares), sharePriceDecimals),
    realised: assets(profit.realised),
    unrealised: assets(profit.unrealised),
    interest: assets(profit.interest),
    apy: of.type === "demand_deposit" ? headlineApy(of, view.time).value : null,
    start: record.since === null ? null : millis(record.since),
    maturity: null,
    pending_shares: shares(record.pending),
    claimable: assets(record.claimable),
    cost_estimated: record.costEstimated,
  };
}

const rolls = ["none", "principal", "all"] as const;

function receiptFigures({ of, view, mayLeave, product }: PositionIn<TimeView>, held: Held, value: bigint) {
  const { receipt, term, figures } = held;
  const { assets } = unitsOf(product);
  const { books } = of;
  const drawn = receipt.costEstimated || receipt.paid <= receipt.principal ? 0n : receipt.paid - receipt.principal;
  const { principal, interest } = receipt;
  return {
    shares: null,
    deposit_id: String(receipt.receiptId),
    receipt: {
      term: { value: term.count, unit: timeUnits[term.unit] },
      term_id: term.termId,
      rate: formatRatio(term.rate),
      break_rate: formatRatio(term.breakRate),
      penalty: formatRatio(term.penalty),
      principal: assets(principal),
      interest_at_maturity: assets(interest),
      matured: view.time >= receipt.maturity,
      roll: rolls[receipt.roll],
      roll_term_id: receipt.roll === 0 ? null : receipt.rollTermId,
      demanded_at: receipt.demandedAt === null ? null : millis(receipt.demandedAt),
      winding_down: books.claims > 0n,
    },
    principal: assets(receipt.cost),
    exit_value: assets(mayLeave ? exitOfReceipt(held, of, view.time) : 0n),
    average_cost: null,
    realised: assets(0n),
    unrealised: assets(0n),
    interest: assets(value - receipt.cost + drawn),
    apy: quotedApy({ principal, interest, openedAt: figures.openedAt, maturity: figures.maturity }),
    start: millis(receipt.openedAt),
    maturity: millis(receipt.maturity),
    pending_shares: null,
    claimable: assets(collectable([held], books, view.time)),
    cost_estimated: receipt.costEstimated,
  };
}

/** The assets that count as dollars, at one unit a dollar. Totals leave out all others. */
const dollarSymbols = new Set(["tUSD", "USDC", "USDC.e", "USDT", "DAI", "USDS", "PYUSD"]);

function inDollars(positions: readonly Position[]) {
  const counted = positions.filter(({ product }) => dollarSymbols.has(product.assetSymbol));
  const decimals = Math.max(6, ...counted.map(({ product }) => product.assetDecimals));
  return {
    counted,
    amount: (units: bigint) => formatUnits(units, decimals),
    dollars: ({ product }: Position, units: bigint) => rescale(units, product.assetDecimals, decimals),
  };
}

export function totalHoldFigures(views: readonly View[], wallet: Hex) {
  const { counted, amount, dollars } = inDollars(positionsOf(views, wallet).filter(isHeld));
  const sum = (part: (position: Position) => bigint) =>
    amount(counted.reduce((total, position) => total + dollars(position, part(position)), 0n));
  const symbols = new Set(counted.map(({ product }) => product.assetSymbol));
  const [symbol = "USD"] = symbols;
  const next = nextCash(counted);
  return {
    address: getAddress(wallet),
    currency: "USD",
    unit: symbols.size === 1 ? symbol : "USD",
    total: sum(({ value }) => value),
    exit_value: sum(exitOf),
    claimable: sum(({ claimable }) => claimable),
    next_cash: next && {
      time: millis(next.maturity),
      amount: amount(dollars(next.position, next.paid)),
      short_id: next.position.product.shortId,
    },
    by_product: counted.map((position) => ({
      short_id: position.product.shortId,
      value: amount(dollars(position, position.value)),
    })),
    as_of: oldestOf(views),
  };
}

/** The next maturity that pays: everything, or only the interest if the principal is to be renewed. */
function nextCash(positions: readonly Position[]) {
  const maturities = positions.flatMap((position) => {
    if (!isTime(position) || position.of.books.claims > 0n) return [];
    return position.receipts
      .map(({ receipt: { maturity, roll, principal, interest } }) => ({
        position,
        maturity,
        paid: roll === 0 ? principal + interest : roll === 1 ? interest : 0n,
      }))
      .filter(({ maturity, paid }) => maturity > position.view.time && paid > 0n);
  });
  const [next] = maturities.toSorted((a, b) => a.maturity - b.maturity);
  if (next === undefined) return null;
  const together = maturities.filter(
    ({ position, maturity }) => position === next.position && maturity === next.maturity,
  );
  return { ...next, paid: together.reduce((sum, { paid }) => sum + paid, 0n) };
}

/** The movements of a wallet, newest first. */
export function walletTransactions(views: readonly View[], wallet: Hex) {
  const entries = views.flatMap((view) =>
    view.movementsOf(wallet).flatMap((movement) => {
      const of = view.products.find(({ product }) => product.address === movement.product);
      return of ? [{ movement, product: of.product }] : [];
    }),
  );
  return entries
    .sort(
      ({ movement: a }, { movement: b }) =>
        b.time - a.time || b.block - a.block || b.logIndex - a.logIndex || (a.hash < b.hash ? -1 : 1),
    )
    .map(({ movement, product }) => transactionFigures(movement, product));
}

/** A wallet's requests that are not fully processed, oldest first. */
export function requestFigures(views: readonly View[], wallet: Hex) {
  return views
    .flatMap((view) =>
      view.products.flatMap((of) => {
        if (of.type !== "demand_deposit") return [];
        const { product, vault } = of;
        const now = view.time;
        const { assets, shares } = unitsOf(product);
        const worth = (units: bigint) => assets(previewRedeem(units, poolAt(vault, now)));
        return waitingIn(of, now)
          .filter(({ request }) => request.wallet === wallet)
          .map((place) => ({
            short_id: product.shortId,
            chain_id: product.chainId,
            wallet: getAddress(wallet),
            symbol: product.assetSymbol,
            decimals: product.assetDecimals,
            requested_at: millis(place.request.requestedAt),
            hash: place.request.hash,
            shares: shares(place.request.shares),
            pending_shares: shares(place.shares),
            value: worth(place.shares),
            ahead: worth(place.ahead),
            position: place.position,
            payable_from: place.payableFrom === null ? null : millis(place.payableFrom),
            ready: place.ready,
            wait: waitInQueue({ vault, past: pastDays(of, now), now }, place),
            as_of: asOfOf(view),
          }));
      }),
    )
    .sort((a, b) => a.requested_at - b.requested_at);
}

/** The profit of a wallet since its first deposit, with the series over all time. */
export function profitFigures(views: readonly View[], wallet: Hex) {
  const asOf = oldestOf(views);
  const { counted, amount, dollars } = inDollars(positionsOf(views, wallet));
  const sum = (part: (position: Position) => bigint) =>
    counted.reduce((total, position) => total + dollars(position, part(position)), 0n);
  const value = sum((position) => position.value);
  const parts = {
    realised: sum((position) => profitOf(position).realised),
    unrealised: sum((position) => profitOf(position).unrealised),
    interest: sum((position) => profitOf(position).interest),
  };
  const flows = flowsOf(counted, dollars);
  return {
    total: amount(parts.realised + parts.unrealised + parts.interest),
    realised: amount(parts.realised),
    unrealised: amount(parts.unrealised),
    interest: amount(parts.interest),
    net_deposits: amount(sum(({ record }) => record.totalIn - record.totalOut)),
    value: amount(value),
    money_weighted_return: xirr([...flows, { time: BigInt((asOf?.time ?? 0) / 1_000), amount: value }]),
    series: seriesOf(counted, flows, dollars).map((point) => ({
      time: millis(point.time),
      value: amount(point.value),
      net_deposits: amount(point.netDeposits),
      profit: amount(point.value - point.netDeposits),
    })),
    as_of: asOf,
  };
}

type Dollars = (of: Position, units: bigint) => bigint;

function flowsOf(positions: readonly Position[], dollars: Dollars): CashFlow[] {
  const flows = new Map<number, bigint>();
  for (const position of positions) {
    let before = { totalIn: 0n, totalOut: 0n };
    for (const version of position.versions) {
      const net = version.totalOut - before.totalOut - (version.totalIn - before.totalIn);
      flows.set(version.time, (flows.get(version.time) ?? 0n) + dollars(position, net));
      before = version;
    }
  }
  return [...flows].map(([time, amount]) => ({ time: BigInt(time), amount })).sort((a, b) => Number(a.time - b.time));
}

/** With more flows than this, a chart shows none of them apart. */
const MAX_FLOWS = 150;

/** The moments, with each flow and the second before it. */
function withFlows(moments: readonly number[], flows: readonly CashFlow[]): number[] {
  const [first, last] = [moments[0] ?? 0, moments.at(-1) ?? 0];
  const times = flows.flatMap(({ time, amount }) => (amount === 0n ? [] : [Number(time)]));
  const inside = times.filter((time) => time > first && time <= last);
  if (inside.length > MAX_FLOWS) return [...moments];
  return [...new Set([...moments, ...inside.flatMap((time) => [time - 1, time])])].sort((a, b) => a - b);
}

function seriesOf(positions: readonly Position[], flows: readonly CashFlow[], dollars: Dollars) {
  const begins = positions.flatMap(({ versions }) => versions.slice(0, 1).map(({ time }) => time));
  if (begins.length === 0) return [];
  const now = Math.max(...positions.map(({ view }) => view.time));
  const points = withFlows(chartMoments(Math.min(...begins), now), flows).map((time) => ({
    time,
    value: 0n,
    netDeposits: 0n,
  }));
  for (const position of positions) {
    const valueAt = valuesOf(position);
    for (const point of points) {
      point.value += dollars(position, valueAt(point.time));
      const then = versionAt(position.versions, point.time);
      if (then) point.netDeposits += dollars(position, then.totalIn - then.totalOut);
    }
  }
  return points;
}

/** The value of a position at moments that are asked for in ascending order. */
function valuesOf(position: Position): (time: number) => bigint {
  if (isDemand(position)) {
    const { vaults } = position.of;
    return (time) => {
      const [then, vault] = [versionAt(position.versions, time), versionAt(vaults, time)];
      return then && vault ? worthOfShares(then, poolAt(vault, time)) : 0n;
    };
  }
  if (!isTime(position)) return () => 0n;
  const { of, wallet } = position;
  const walk = liveWalk(everOwned(of, wallet), wallet);
  return (time) => {
    const live = walk((version) => version.time <= time);
    const books = versionAt(of.states, time);
    return books ? worthOf(heldOf(of, live), books, time) : 0n;
  };
}

/** Every version of the receipts that a wallet ever owned. */
export function everOwned({ receipts }: TimeView, wallet: Hex): ReceiptRow[] {
  const owned = new Set(receipts.filter(({ owner }) => owner === wallet).map(({ receiptId }) => receiptId));
  return receipts.filter(({ receiptId }) => owned.has(receiptId));
}
