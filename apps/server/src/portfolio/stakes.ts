import type { AsOf } from "@aqua/sdk/api/envelope";
import type { ProductType } from "@aqua/sdk/api/product";
import { type Pool, previewRedeem } from "@aqua/sdk/maths/shares";
import { carriedStakes } from "@aqua/sdk/maths/together";
import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { position } from "../indexer/schema.ts";
import { type IndexedChain, stampsOf } from "../indexer/stamp.ts";
import { type PositionState, type ProductState, poolAt } from "../indexer/state.ts";
import { instantCapacity } from "../product/capacity.ts";
import { type CurrentProduct, currentProducts } from "../product/store.ts";
import { type CurrentTermProduct, currentTermProducts, liveReceiptsOf } from "../product/termStore.ts";
import { identitiesOf, latestPositions, positionVersions, productsOfOwnTransfers } from "./positionStore.ts";
import { collectableOf, type HeldReceipt, heldReceipts, leavableOf, worthOf } from "./receipts.ts";

/** What a wallet has, or ever had, in one product. Amounts in smallest units of the product's asset. */
interface StakeOf<Type extends ProductType> {
  type: Type;
  product: CurrentProduct["product"];
  state: ProductState;
  asOf: AsOf;
  wallet: Hex;
  /** Its cost with what the wallet got from others that were asked about together with it. */
  position: PositionState;
  /** Who has no record, or a frozen one, gets nothing out, however much money stands ready. */
  mayLeave: boolean;
  /** All of it at `asOf`; of this what can be collected. */
  value: bigint;
  claimable: bigint;
}

export interface DemandStake extends StakeOf<"demand_deposit"> {
  current: CurrentProduct;
  pool: Pool;
}

export interface TimeStake extends StakeOf<"time_deposit"> {
  current: CurrentTermProduct;
  receipts: HeldReceipt[];
}

export type Stake = DemandStake | TimeStake;

/** Wallets asked about together: of the path and of `also`, each once. */
export function walletsOf(address: string, also: string | undefined): Hex[] {
  return [...new Set([address, ...(also?.split(",") ?? [])].map((wallet) => wallet.toLowerCase() as Hex))];
}

/** Every product the wallets ever held, in the order they were listed. */
export async function stakesOf(
  tx: Orm,
  chains: readonly IndexedChain[],
  wallets: readonly Hex[],
  only?: number,
): Promise<{ stakes: Stake[]; stamped: AsOf[] }> {
  const stakes: Stake[] = [];
  const known = await stampsOf(tx, chains, only);
  for (const { chain, asOf } of known) {
    const positions = await withCarriedCost(tx, chain.chainId, wallets);
    if (positions.length === 0) continue;
    const identities = await identitiesOf(tx, chain.chainId, wallets);
    const now = asOf.time / 1_000;
    const listed = [...(await currentProducts(tx, chain.chainId)), ...(await currentTermProducts(tx, chain.chainId))];
    const products = new Map(listed.map((row) => [row.product.address, row]));
    const live = positions.some(({ receipts }) => receipts > 0) ? await liveReceiptsOf(tx, chain.chainId, wallets) : [];
    for (const position of positions) {
      const { wallet } = position;
      const current = products.get(position.product);
      if (!current) continue;
      const identity = identities.get(wallet);
      const { product, state } = current;
      const common = { product, state, asOf, wallet, position, mayLeave: identity !== undefined && !identity.frozen };
      if ("vault" in current) {
        const pool = poolAt(current.vault, now);
        const figures = { value: demandValue(position, pool), claimable: position.claimable };
        stakes.push({ type: "demand_deposit", ...common, ...figures, current, pool });
      } else {
        const { books, terms } = current;
        const own = live.filter((receipt) => receipt.product === product.address && receipt.owner === wallet);
        const receipts = heldReceipts(own, terms);
        const figures = { value: worthOf(receipts, books, now), claimable: collectableOf(receipts, books, now) };
        stakes.push({ type: "time_deposit", ...common, ...figures, current, receipts });
      }
    }
  }
  return { stakes, stamped: known.map(({ asOf }) => asOf) };
}

/** The latest positions; what one of the wallets sent to another took its cost along. */
async function withCarriedCost(tx: Orm, chainId: number, wallets: readonly Hex[]): Promise<PositionState[]> {
  const positions = await latestPositions(tx, chainId, wallets);
  for (const product of await productsOfOwnTransfers(tx, chainId, wallets)) {
    const carried = carriedStakes(await positionVersions(tx, chainId, wallets, eq(position.product, product)));
    for (const [index, known] of positions.entries()) {
      const stake = known.product === product ? carried.get(known.wallet) : undefined;
      if (stake) positions[index] = { ...known, ...stake };
    }
  }
  return positions;
}

/**
 * A stake in a demand deposit: the shares held and those in the queue redeemed as one, rounded down once as the vault
 * does it, and what the queue has set aside.
 */
export function demandValue({ shares, claimable }: Pick<PositionState, "shares" | "claimable">, pool: Pool): bigint {
  return previewRedeem(shares, pool) + claimable;
}

/** Whether there is anything in a stake now. */
export function isHeld({ position }: Stake): boolean {
  return position.shares > 0n || position.claimable > 0n || position.receipts > 0;
}

export interface ProfitParts {
  realised: bigint;
  unrealised: bigint;
  interest: bigint;
}

/** Profit of a stake by what made it. Its parts add up to value + out − in. */
export function profitOfStake({ type, position, value }: Stake): ProfitParts {
  const { cost, realised, interest, claimable } = position;
  // Of a time deposit all profit is interest: what gone receipts paid of it, and what live ones have earned.
  if (type === "time_deposit") return { realised, unrealised: 0n, interest: interest + value - cost };
  return { realised, unrealised: value - claimable - cost, interest };
}

/** Stakes by the product they are in. */
export function byProduct<Of extends Stake>(stakes: readonly Of[]): Of[][] {
  const groups = new Map<string, Of[]>();
  for (const stake of stakes) {
    const key = `${stake.product.chainId}:${stake.product.address}`;
    groups.set(key, [...(groups.get(key) ?? []), stake]);
  }
  return [...groups.values()];
}

/**
 * What of stakes in one product would be paid out if all of it left at this moment. Of a demand deposit: the shares not
 * in the queue, as far as the idle money goes, and what is set aside already. Of a time deposit: each receipt by the
 * rules for it, as far as the cash goes.
 */
export function exitOf(stakes: readonly Stake[]): bigint {
  const free = stakes.filter(({ mayLeave }) => mayLeave);
  const [first] = free;
  if (!first) return 0n;
  const now = first.asOf.time / 1_000;
  if (first.type === "time_deposit") return leavableOf(receiptsIn(free), first.current.books, now);
  let [atOnce, claimable] = [0n, 0n];
  for (const { position } of free) {
    atOnce += previewRedeem(position.shares - position.pending, first.pool);
    claimable += position.claimable;
  }
  const capacity = instantCapacity(first.current.vault, now);
  return claimable + (atOnce < capacity ? atOnce : capacity);
}

/** What of stakes in one product can be collected, together. */
export function claimableOf(stakes: readonly Stake[]): bigint {
  const [first] = stakes;
  if (first?.type === "time_deposit")
    return collectableOf(receiptsIn(stakes), first.current.books, first.asOf.time / 1_000);
  return stakes.reduce((sum, { claimable }) => sum + claimable, 0n);
}

function receiptsIn(stakes: readonly Stake[]): HeldReceipt[] {
  return stakes.flatMap((stake) => (stake.type === "time_deposit" ? stake.receipts : []));
}
