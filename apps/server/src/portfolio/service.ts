import type { Holding, PendingTransactionBody, TotalHoldValue, TotalProfit, Transaction } from "@aqua/sdk/api/account";
import type { AsOf, List } from "@aqua/sdk/api/envelope";
import type { ProductStatus, ProductType, Range } from "@aqua/sdk/api/product";
import type { LanguageCode } from "@aqua/sdk/languages";
import { profitOf } from "@aqua/sdk/maths/position";
import { previewRedeem, sharePriceDecimals } from "@aqua/sdk/maths/shares";
import { formatUnits, mulDivFloor, rescale } from "@aqua/sdk/maths/units";
import { type CashFlow, xirr } from "@aqua/sdk/maths/xirr";
import { getAddress, type Hex } from "viem";
import type { Database, Orm } from "../db/database.ts";
import { oldest, stampsOf } from "../indexer/stamp.ts";
import { type IdentityRecord, type PositionState, poolAt } from "../indexer/state.ts";
import { toTransaction } from "../indexer/transactions.ts";
import { type Documents, documentIn } from "../product/documents.ts";
import { momentsOfRange } from "../product/series.ts";
import { headlineApy, instantCapacity } from "../product/service.ts";
import { type CurrentProduct, currentProducts, vaultAt } from "../product/store.ts";
import { isDollar, totalDecimals } from "./dollars.ts";
import { announce, type PendingChain, pendingTransaction } from "./pending.ts";
import * as store from "./store.ts";

export interface HoldFilter {
  page: number;
  page_size: number;
  type?: ProductType | undefined;
  status?: ProductStatus | undefined;
  chain_id?: number | undefined;
  lang?: LanguageCode | undefined;
}

export interface TransactionFilter {
  page: number;
  page_size: number;
  kind?: string | undefined;
  short_id?: string | undefined;
  chain_id?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

export interface PortfolioService {
  totalHoldValue(address: string): Promise<TotalHoldValue>;
  hold(address: string, filter: HoldFilter): Promise<List<Holding>>;
  transactions(address: string, filter: TransactionFilter): Promise<List<Transaction>>;
  totalProfit(address: string, range: Range): Promise<TotalProfit>;
  addPending(body: PendingTransactionBody): Promise<Transaction>;
  pending(address: string, chainId: number | undefined): Promise<List<Transaction>>;
}

/** One wallet's position in one product, with the product as it stands at `asOf`. */
interface Stake {
  current: CurrentProduct;
  position: PositionState;
  identity: IdentityRecord | null;
  asOf: AsOf;
  /** What `previewRedeem` of the shares answers at `asOf`, smallest units of the asset. */
  value: bigint;
}

export function createPortfolioService(parts: {
  db: Database;
  chains: readonly PendingChain[];
  documents: Documents;
}): PortfolioService {
  const { db, documents } = parts;
  const chains = parts.chains.filter((chain) => chain.deployment !== null);
  const snapshot = <T>(read: (tx: Orm) => Promise<T>) => db.transaction(read, "repeatable read");
  const chainIds = (only: number | undefined) =>
    chains.map((chain) => chain.chainId).filter((chainId) => only === undefined || only === chainId);

  /** Every product the wallet ever held. */
  async function stakesOf(tx: Orm, wallet: Hex, only?: number): Promise<{ stakes: Stake[]; stamped: AsOf[] }> {
    const stakes: Stake[] = [];
    const known = await stampsOf(tx, chains, only);
    for (const { chain, asOf } of known) {
      const positions = await store.currentPositions(tx, chain.chainId, wallet);
      if (positions.size === 0) continue;
      const identity = await store.identityOf(tx, chain.chainId, wallet);
      for (const current of await currentProducts(tx, chain.chainId)) {
        const position = positions.get(current.product.address);
        if (!position) continue;
        const value = previewRedeem(position.shares, poolAt(current.vault, asOf.time / 1_000));
        stakes.push({ current, position, identity, asOf, value });
      }
    }
    return { stakes, stamped: known.map(({ asOf }) => asOf) };
  }

  async function toHolding(tx: Orm, stake: Stake, lang: LanguageCode | undefined): Promise<Holding> {
    const { current, position, asOf, value } = stake;
    const { product, state } = current;
    const now = asOf.time / 1_000;
    const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
    const profit = profitOf(position, value);
    const apy = await headlineApy(tx, current, now);
    return {
      short_id: product.shortId,
      wallet: getAddress(position.wallet),
      name: documentIn(documents.get(state.metadataHash), lang)?.name ?? product.shortId,
      type: product.productType === 0 ? "demand_deposit" : "time_deposit",
      chain_id: product.chainId,
      symbol: product.assetSymbol,
      decimals: product.assetDecimals,
      shares: formatUnits(position.shares, product.shareDecimals),
      deposit_id: null,
      receipt: null,
      principal: assets(position.cost),
      value: assets(value),
      exit_value: assets(exitOf(stake)),
      average_cost: averageCost(position, product.shareDecimals - product.assetDecimals),
      realised: assets(profit.realised),
      unrealised: assets(profit.unrealised),
      interest: assets(0n),
      apy: apy.value,
      start: position.since === null ? null : position.since * 1_000,
      maturity: null,
      pending_shares: formatUnits(0n, product.shareDecimals),
      claimable: assets(0n),
      cost_estimated: position.costEstimated,
      as_of: asOf,
    };
  }

  return {
    totalHoldValue: (address) =>
      snapshot(async (tx) => {
        const { stakes, stamped } = await stakesOf(tx, address.toLowerCase() as Hex);
        const asOf = oldest(stamped);
        const counted = stakes.filter(
          ({ current, position }) => position.shares > 0n && isDollar(current.product.assetSymbol),
        );
        const decimals = totalDecimals(counted.map(({ current }) => current.product.assetDecimals));
        const dollars = ({ current, value }: Stake) => rescale(value, current.product.assetDecimals, decimals);
        const total = counted.reduce((sum, stake) => sum + dollars(stake), 0n);
        return {
          address: getAddress(address),
          currency: "USD",
          total: formatUnits(total, decimals),
          exit_value: formatUnits(
            counted.reduce(
              (sum, stake) => sum + rescale(exitOf(stake), stake.current.product.assetDecimals, decimals),
              0n,
            ),
            decimals,
          ),
          claimable: formatUnits(0n, decimals),
          next_cash: null,
          by_product: counted.map((stake) => ({
            short_id: stake.current.product.shortId,
            value: formatUnits(dollars(stake), decimals),
          })),
          as_of: asOf,
        };
      }),

    hold: (address, { page, page_size, type, status, chain_id, lang }) =>
      snapshot(async (tx) => {
        const { stakes } = await stakesOf(tx, address.toLowerCase() as Hex, chain_id);
        const held = stakes.filter(
          ({ current, position }) =>
            position.shares > 0n &&
            (type === undefined || type === (current.product.productType === 0 ? "demand_deposit" : "time_deposit")) &&
            (status === undefined || status === (current.state.status === 0 ? "open" : "closed")),
        );
        const comparable = ({ current, value }: Stake) => rescale(value, current.product.assetDecimals, 255);
        held.sort((a, b) => {
          const [first, second] = [comparable(a), comparable(b)];
          if (first !== second) return first < second ? 1 : -1;
          return a.current.product.shortId.localeCompare(b.current.product.shortId);
        });
        const items: Holding[] = [];
        for (const stake of held.slice((page - 1) * page_size, page * page_size))
          items.push(await toHolding(tx, stake, lang));
        return { items, total: held.length, page, page_size };
      }),

    transactions: (address, { page, page_size, kind, short_id, chain_id, from, to }) =>
      snapshot(async (tx) => {
        await stampsOf(tx, chains, chain_id);
        const filter = { chainIds: chainIds(chain_id), kind, shortId: short_id, from, to };
        const span = { limit: page_size, offset: (page - 1) * page_size };
        const { entries, total } = await store.historyOf(tx, address.toLowerCase() as Hex, filter, span);
        const items = entries.map((entry) =>
          "movement" in entry
            ? toTransaction(entry.movement, entry.product)
            : pendingTransaction(entry.pending, entry.product),
        );
        return { items, total, page, page_size };
      }),

    totalProfit: (address, range) =>
      snapshot(async (tx) => {
        const wallet = address.toLowerCase() as Hex;
        const { stakes, stamped } = await stakesOf(tx, wallet);
        const asOf = oldest(stamped);
        const counted = stakes.filter(({ current }) => isDollar(current.product.assetSymbol));
        const decimals = totalDecimals(counted.map(({ current }) => current.product.assetDecimals));
        const dollars = (stake: Stake, units: bigint) => rescale(units, stake.current.product.assetDecimals, decimals);
        const sum = (part: (stake: Stake) => bigint) =>
          counted.reduce((total, stake) => total + dollars(stake, part(stake)), 0n);
        const value = sum((stake) => stake.value);
        const realised = sum((stake) => stake.position.realised);
        const unrealised = sum((stake) => profitOf(stake.position, stake.value).unrealised);
        const netDeposits = sum(({ position }) => position.totalIn - position.totalOut);

        const flows = await flowsOf(tx, wallet, counted, dollars);
        const series = await seriesOf(tx, wallet, counted, range, flows[0] ? Number(flows[0].time) : null, dollars);
        const amount = (units: bigint) => formatUnits(units, decimals);
        return {
          total: amount(realised + unrealised),
          realised: amount(realised),
          unrealised: amount(unrealised),
          interest: amount(0n),
          net_deposits: amount(netDeposits),
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
      }),

    addPending: (body) => announce(db, chains, body),

    pending: async (address, chainId) => {
      const wallet = address.toLowerCase() as Hex;
      const ids = chainIds(chainId);
      const rows = ids.length === 0 ? [] : await store.pendingOf(db.orm, wallet, ids);
      const items = rows.map((row) => pendingTransaction(row.pending_transaction, row.product));
      return { items, total: items.length, page: 1, page_size: Math.max(1, items.length) };
    },
  };
}

/** What of a stake can leave now. Whoever has no record, or a frozen one, cannot redeem, however much money stands ready. */
function exitOf({ current, identity, asOf, value }: Stake): bigint {
  if (!identity || identity.frozen) return 0n;
  const capacity = instantCapacity(current.vault, asOf.time / 1_000);
  return value < capacity ? value : capacity;
}

type Dollars = (stake: Stake, units: bigint) => bigint;

/** What went in (negative) and came out (positive), oldest first. */
async function flowsOf(tx: Orm, wallet: Hex, stakes: readonly Stake[], dollars: Dollars): Promise<CashFlow[]> {
  const flows: CashFlow[] = [];
  for (const stake of stakes) {
    const { chainId, address } = stake.current.product;
    for (const { kind, time, assets } of await store.movementsOf(tx, chainId, wallet, [address])) {
      const amount = dollars(stake, kind === "deposit" || kind === "transfer_in" ? -assets : assets);
      flows.push({ time: BigInt(time), amount });
    }
  }
  return flows.sort((a, b) => Number(a.time - b.time));
}

/** Value and net deposits of all stakes together at each moment of the range, from the first movement on. */
async function seriesOf(
  tx: Orm,
  wallet: Hex,
  stakes: readonly Stake[],
  range: Range,
  since: number | null,
  dollars: Dollars,
): Promise<{ time: number; value: bigint; netDeposits: bigint }[]> {
  if (since === null) return [];
  const now = Math.max(...stakes.map(({ asOf }) => asOf.time / 1_000));
  const moments = momentsOfRange(range, since, now);
  const points = new Map(moments.map((time) => [time, { time, value: 0n, netDeposits: 0n }]));
  for (const stake of stakes) {
    const { product } = stake.current;
    const positions = await store.positionAt(tx, product, wallet, moments);
    for (const { time, vault } of await vaultAt(tx, product, moments)) {
      const position = positions.get(time);
      const point = points.get(time);
      if (!position || !point) continue;
      point.value += dollars(stake, previewRedeem(position.shares, poolAt(vault, time)));
      point.netDeposits += dollars(stake, position.totalIn - position.totalOut);
    }
  }
  return [...points.values()];
}

/** Cost of a whole share in whole assets, 18 decimals, rounded down; null when none are held. */
function averageCost(position: PositionState, decimalsOffset: number): string | null {
  if (position.shares === 0n) return null;
  const scale = 10n ** BigInt(sharePriceDecimals + decimalsOffset);
  return formatUnits(mulDivFloor(position.cost, scale, position.shares), sharePriceDecimals);
}
