import type { AsOf } from "@aqua/sdk/api/envelope";
import type { TotalProfit } from "@aqua/sdk/api/portfolio";
import type { Range } from "@aqua/sdk/api/product";
import { type CashFlow, xirr } from "@aqua/sdk/maths/xirr";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { oldest } from "../indexer/stamp.ts";
import { type PositionState, poolAt, type Receipt } from "../indexer/world.ts";
import { momentsOfRange } from "../product/series.ts";
import { liveAt } from "../product/termStore.ts";
import { type Accounts, accountsAt, positionVersions, receiptVersions } from "./positionStore.ts";
import { byProduct, demandValue, type Position, profitOfPosition } from "./positions.ts";
import { heldReceipts, worthOf } from "./receipts.ts";
import { inDollars } from "./totals.ts";

type Dollars = (of: Pick<Position, "product">, units: bigint) => bigint;

/** Every version of the wallets' positions in one product, in chain order. */
interface History {
  position: Position;
  versions: PositionState[];
  /** For a time deposit: every version of the receipts that the wallets ever owned in it, oldest first. */
  receipts: Receipt[];
}

/** Returns the combined profit of some wallets since their first deposit. `range` is the range of the series. */
export async function totalProfitOf(
  tx: Orm,
  {
    wallets,
    positions,
    stamped,
    range,
  }: { wallets: readonly Hex[]; positions: readonly Position[]; stamped: readonly AsOf[]; range: Range },
): Promise<TotalProfit> {
  const asOf = oldest(stamped);
  const { counted, amount, dollars } = inDollars(positions);
  const sum = (part: (position: Position) => bigint) =>
    counted.reduce((total, position) => total + dollars(position, part(position)), 0n);
  const value = sum((position) => position.value);
  const realised = sum((position) => profitOfPosition(position).realised);
  const unrealised = sum((position) => profitOfPosition(position).unrealised);
  const interest = sum((position) => profitOfPosition(position).interest);

  const histories = await historiesOf(tx, wallets, counted);
  const flows = flowsOf(histories, dollars);
  const series = await seriesOf(tx, { wallets, histories, flows, range, dollars });
  return {
    total: amount(realised + unrealised + interest),
    realised: amount(realised),
    unrealised: amount(unrealised),
    interest: amount(interest),
    net_deposits: amount(sum(({ record }) => record.totalIn - record.totalOut)),
    value: amount(value),
    money_weighted_return: xirr([...flows, { time: BigInt(asOf.time / 1_000), amount: value }]),
    series: series.map((point) => ({
      time: point.time * 1_000,
      value: amount(point.value),
      net_deposits: amount(point.netDeposits),
      profit: amount(point.value - point.netDeposits),
    })),
    as_of: asOf,
  };
}

/**
 * Returns one history for each product. If several wallets hold the same product, the first position represents all
 * of them.
 */
async function historiesOf(tx: Orm, wallets: readonly Hex[], positions: readonly Position[]): Promise<History[]> {
  const histories = byProduct(positions).flatMap((same) =>
    same.slice(0, 1).map((position): History => ({ position, versions: [], receipts: [] })),
  );
  const find = (of: { chainId: number; product: Hex }) =>
    histories.find(
      ({ position }) => position.product.chainId === of.chainId && position.product.address === of.product,
    );
  for (const chainId of chainsOf(histories)) {
    for (const version of await positionVersions(tx, chainId, wallets)) find(version)?.versions.push(version);
    for (const version of await receiptVersions(tx, chainId, wallets)) find(version)?.receipts.push(version);
  }
  return histories;
}

function chainsOf(histories: readonly History[]): Set<number> {
  return new Set(histories.map(({ position }) => position.product.chainId));
}

/**
 * Returns the amounts paid in (negative) and paid out (positive), by time. Money that a queue has set aside counts as
 * paid out only when it is claimed. Transfers between the wallets cancel out.
 */
function flowsOf(histories: readonly History[], dollars: Dollars): CashFlow[] {
  const flows = new Map<number, bigint>();
  for (const { position, versions } of histories) {
    const before = new Map<Hex, PositionState>();
    for (const version of versions) {
      const known = before.get(version.wallet) ?? { totalIn: 0n, totalOut: 0n };
      before.set(version.wallet, version);
      const net = version.totalOut - known.totalOut - (version.totalIn - known.totalIn);
      flows.set(version.time, (flows.get(version.time) ?? 0n) + dollars(position, net));
    }
  }
  return [...flows].map(([time, amount]) => ({ time: BigInt(time), amount })).sort((a, b) => Number(a.time - b.time));
}

/**
 * Above this number of movements in a range, the even steps are so dense that a gap between two of them looks like a
 * jump.
 */
const MAX_FLOWS = 150;

/**
 * Adds the moment of each flow, and the second before it, to the moments. A chart draws a straight line between two
 * points. Without the added moments, a deposit would look like value that grows over the whole step while net
 * deposits do not change.
 */
function withFlows(moments: readonly number[], flows: readonly CashFlow[]): number[] {
  const [first, last] = [moments[0] ?? 0, moments.at(-1) ?? 0];
  const times = flows.flatMap(({ time, amount }) => (amount === 0n ? [] : [Number(time)]));
  const inside = times.filter((time) => time > first && time <= last);
  if (inside.length > MAX_FLOWS) return [...moments];
  return [...new Set([...moments, ...inside.flatMap((time) => [time - 1, time])])].sort((a, b) => a - b);
}

/**
 * Returns the value and the net deposits of all positions together at the moments of the range, from the first
 * movement on.
 */
async function seriesOf(
  tx: Orm,
  {
    wallets,
    histories,
    flows,
    range,
    dollars,
  }: {
    wallets: readonly Hex[];
    histories: readonly History[];
    flows: readonly CashFlow[];
    range: Range;
    dollars: Dollars;
  },
): Promise<{ time: number; value: bigint; netDeposits: bigint }[]> {
  const begins = histories.flatMap(({ versions }) => versions.slice(0, 1).map((version) => version.time));
  if (begins.length === 0) return [];
  const now = Math.max(...histories.map(({ position }) => position.asOf.time / 1_000));
  const moments = withFlows(momentsOfRange(range, Math.min(...begins), now), flows);
  const points = new Map(moments.map((time) => [time, { time, value: 0n, netDeposits: 0n }]));
  for (const chainId of chainsOf(histories)) {
    const own = histories.filter(({ position }) => position.product.chainId === chainId);
    const products = own.map(({ position }) => position.product.address);
    const accounts = await accountsAt(tx, { chainId, products, times: moments });
    for (const history of own) {
      const { position, versions } = history;
      const values = valuesAt({ wallets, history, moments, at: (time) => accounts(position.product.address, time) });
      for (const { time, positions } of standsAt(versions, moments)) {
        const point = points.get(time);
        if (!point) continue;
        point.value += dollars(position, values.get(time) ?? 0n);
        for (const { totalIn, totalOut } of positions) point.netDeposits += dollars(position, totalIn - totalOut);
      }
    }
  }
  return [...points.values()];
}

/** Yields the positions of the wallets at each moment. */
function* standsAt(
  versions: readonly PositionState[],
  moments: readonly number[],
): Generator<{ time: number; positions: PositionState[] }> {
  const then = new Map<Hex, PositionState>();
  let next = 0;
  for (const time of moments) {
    for (let version = versions[next]; version && version.time <= time; version = versions[next]) {
      then.set(version.wallet, version);
      next += 1;
    }
    yield { time, positions: [...then.values()] };
  }
}

/**
 * Returns the combined value of all positions in one product at each moment. Moments before the product's first
 * accounts are omitted.
 */
function valuesAt({
  wallets,
  history: { position, versions, receipts },
  moments,
  at,
}: {
  wallets: readonly Hex[];
  history: History;
  moments: readonly number[];
  at: (time: number) => Accounts;
}): Map<number, bigint> {
  const values = new Map<number, bigint>();
  if (position.type === "time_deposit") {
    for (const { time, receipts: live } of liveAt(receipts, moments)) {
      const { books } = at(time);
      const own = live.filter(({ owner }) => wallets.includes(owner));
      if (books) values.set(time, worthOf(heldReceipts(own, position.current.terms), books, time));
    }
    return values;
  }
  for (const { time, positions } of standsAt(versions, moments)) {
    const { vault } = at(time);
    if (!vault) continue;
    const pool = poolAt(vault, time);
    values.set(
      time,
      positions.reduce((sum, position) => sum + demandValue(position, pool), 0n),
    );
  }
  return values;
}
