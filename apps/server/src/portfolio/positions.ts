import type { AsOf } from "@aqua/sdk/api/envelope";
import type { ProductType } from "@aqua/sdk/api/product";
import { type Pool, previewRedeem } from "@aqua/sdk/maths/shares";
import { type CarriedCost, carriedCosts } from "@aqua/sdk/maths/together";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import type { IndexedChain } from "../indexer/stamp.ts";
import type { PositionState, ProductState } from "../indexer/world.ts";
import { instantCapacity } from "../product/capacity.ts";
import type { ChainSnapshot, ChainStates, DemandState, TimeState } from "./chainState.ts";
import { type Belongings, belongingsOf, ownTransfers, positionVersions } from "./positionStore.ts";
import { collectableOf, type HeldReceipt, heldReceipts, withdrawableOf, worthOf } from "./receipts.ts";

/** The current or past position of a wallet in one product. Amounts are in smallest units of the product's asset. */
interface PositionOf<Type extends ProductType> {
  type: Type;
  product: DemandState["current"]["product"];
  state: ProductState;
  asOf: AsOf;
  wallet: Hex;
  /** The stored position. Its cost includes the cost of transfers from the other wallets of the same request. */
  record: PositionState;
  /**
   * False if the wallet has no identity record or a frozen one. Such a wallet cannot withdraw, even if the product
   * has idle money.
   */
  mayLeave: boolean;
  /** `value` is the total value at `asOf`. `claimable` is the part of it that can be collected. */
  value: bigint;
  claimable: bigint;
}

export interface DemandPosition extends PositionOf<"demand_deposit">, DemandState {}

export interface TimePosition extends PositionOf<"time_deposit">, TimeState {
  receipts: HeldReceipt[];
}

export type Position = DemandPosition | TimePosition;

/** Returns the wallets of one request: the wallet of the path and those of `also`, without duplicates. */
export function walletsOf(address: string, also: string | undefined): Hex[] {
  return [...new Set([address, ...(also?.split(",") ?? [])].map((wallet) => wallet.toLowerCase() as Hex))];
}

export interface Positions {
  /** The position in every product that the wallets ever held, in listing order. */
  positions: Position[];
  stamped: AsOf[];
}

/** Reads the positions of the wallets on each chain, or only on chain `only`, in the snapshot of `tx`. */
export async function positionsOf(
  tx: Orm,
  {
    states,
    chains,
    wallets,
    only,
  }: { states: ChainStates; chains: readonly IndexedChain[]; wallets: readonly Hex[]; only?: number | undefined },
): Promise<Positions> {
  const snapshots = await states.at(tx, chains, only);
  const indexedChains = snapshots.map(({ chain }) => chain);
  const belongings = await belongingsOf(tx, indexedChains, wallets);
  for (const { chainId } of indexedChains) {
    const carried = await carriedCost(tx, chainId, wallets);
    for (const { positions } of belongings.filter((one) => one.chainId === chainId)) {
      for (const [index, known] of positions.entries()) {
        const cost = carried(known);
        if (cost) positions[index] = { ...known, ...cost };
      }
    }
  }
  return positionsIn(snapshots, belongings);
}

/**
 * Returns the positions of one wallet on the chains from rows that one query has read. Returns null while the states
 * of their blocks are not in memory.
 */
export async function positionsIfKnown({
  states,
  chains,
  belongings,
  only,
}: {
  states: ChainStates;
  chains: readonly IndexedChain[];
  belongings: readonly Belongings[];
  only?: number | undefined;
}): Promise<Positions | null> {
  const snapshots = await states.known(
    belongings.map(({ cursor }) => cursor),
    chains,
    only,
  );
  return snapshots && positionsIn(snapshots, belongings);
}

function positionsIn(snapshots: readonly ChainSnapshot[], belongings: readonly Belongings[]): Positions {
  const positions = snapshots.flatMap((snapshot) => {
    const own = belongings.filter(({ chainId }) => chainId === snapshot.chain.chainId);
    return own.flatMap((one) => positionsOn(snapshot, one)).sort(byListing);
  });
  return { positions, stamped: snapshots.map(({ asOf }) => asOf) };
}

function byListing(a: Position, b: Position): number {
  const [one, other] = [a.product, b.product];
  return one.block - other.block || one.logIndex - other.logIndex || (a.wallet < b.wallet ? -1 : 1);
}

function positionsOn({ asOf, state }: ChainSnapshot, { wallet, positions, frozen, receipts }: Belongings): Position[] {
  return positions.flatMap((record): Position[] => {
    const known = state.products.get(record.product);
    if (!known) return [];
    const { product, state: listing } = known.current;
    const common = { product, state: listing, asOf, wallet, record, mayLeave: frozen === false };
    if (known.type === "demand_deposit") {
      const figures = { value: demandValue(record, known.pool), claimable: record.claimable };
      return [{ ...known, ...common, ...figures }];
    }
    const { books, terms } = known.current;
    const own = receipts.filter((receipt) => receipt.product === record.product);
    const held = heldReceipts(own, terms);
    const figures = { value: worthOf(held, books, state.time), claimable: collectableOf(held, books, state.time) };
    return [{ ...known, ...common, ...figures, receipts: held }];
  });
}

/**
 * A transfer between two of the wallets carries its cost along. Returns the new cost of each position that this
 * changes.
 */
async function carriedCost(
  tx: Orm,
  chainId: number,
  wallets: readonly Hex[],
): Promise<(of: PositionState) => CarriedCost | undefined> {
  const products = await ownTransfers(tx, chainId, wallets);
  if (products.length === 0) return () => undefined;
  const versions = await positionVersions(tx, chainId, wallets);
  const carried = new Map(
    products.map((product) => [product, carriedCosts(versions.filter((version) => version.product === product))]),
  );
  return ({ product, wallet }) => carried.get(product)?.get(wallet);
}

/**
 * Values a position in a demand deposit. The shares held and the shares in the queue are redeemed as one amount and
 * rounded down once, as the vault does. The amount that the queue has set aside is added.
 */
export function demandValue({ shares, claimable }: Pick<PositionState, "shares" | "claimable">, pool: Pool): bigint {
  return previewRedeem(shares, pool) + claimable;
}

/** Returns true if the position currently holds shares, claimable money or receipts. */
export function isHeld({ record }: Position): boolean {
  return record.shares > 0n || record.claimable > 0n || record.receipts > 0;
}

export interface ProfitParts {
  realised: bigint;
  unrealised: bigint;
  interest: bigint;
}

/** Splits the profit of a position by its source. The parts sum to value + out − in. */
export function profitOfPosition({ type, record, value }: Position): ProfitParts {
  const { cost, realised, interest, claimable } = record;
  // All profit of a time deposit is interest: interest paid by closed receipts plus interest earned by live ones.
  if (type === "time_deposit") return { realised, unrealised: 0n, interest: interest + value - cost };
  return { realised, unrealised: value - claimable - cost, interest };
}

/** Groups positions by product. */
export function byProduct<Of extends Position>(positions: readonly Of[]): Of[][] {
  const groups = new Map<string, Of[]>();
  for (const position of positions) {
    const key = `${position.product.chainId}:${position.product.address}`;
    groups.set(key, [...(groups.get(key) ?? []), position]);
  }
  return [...groups.values()];
}

/**
 * Returns the amount that would be paid if all of the positions in one product left now. For a demand deposit, this
 * is the value of the shares outside the queue, limited by the idle money, plus the amount already set aside. For a
 * time deposit, the rules apply to each receipt, limited by the cash.
 */
export function exitOf(positions: readonly Position[]): bigint {
  const free = positions.filter(({ mayLeave }) => mayLeave);
  const [first] = free;
  if (!first) return 0n;
  const now = first.asOf.time / 1_000;
  if (first.type === "time_deposit") return withdrawableOf(receiptsIn(free), first.current, now);
  let [atOnce, claimable] = [0n, 0n];
  for (const { record } of free) {
    atOnce += previewRedeem(record.shares - record.pending, first.pool);
    claimable += record.claimable;
  }
  const capacity = instantCapacity(first.current.vault, now);
  return claimable + (atOnce < capacity ? atOnce : capacity);
}

/** Returns the total amount that can be collected from positions in one product. */
export function claimableOf(positions: readonly Position[]): bigint {
  const [first] = positions;
  if (first?.type === "time_deposit")
    return collectableOf(receiptsIn(positions), first.current.books, first.asOf.time / 1_000);
  return positions.reduce((sum, { claimable }) => sum + claimable, 0n);
}

function receiptsIn(positions: readonly Position[]): HeldReceipt[] {
  return positions.flatMap((position) => (position.type === "time_deposit" ? position.receipts : []));
}
