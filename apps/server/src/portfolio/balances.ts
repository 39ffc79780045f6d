import { setImmediate } from "node:timers/promises";
import type { Pool } from "@aqua/sdk/maths/shares";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { type PositionState, poolAt, type Receipt, type TermState } from "../indexer/state.ts";
import { receiptStatus } from "../indexer/terms.ts";
import { type CurrentProduct, vaultAt } from "../product/store.ts";
import { type CurrentTermProduct, receiptVersions, termStateAt } from "../product/termStore.ts";
import type { Balance, Step } from "./ledger.ts";
import { collectableOf, type HeldReceipt, heldReceipts, worthOf } from "./receipts.ts";
import { demandValue } from "./stakes.ts";
import { termStateAfter, vaultAfter } from "./statementStore.ts";

/**
 * A bound between two statements: all events up to `last` count, and what is there then is valued at `valuedAt`, both in
 * Unix seconds. The end of one statement and the beginning of the next are thus the same balance.
 */
export interface Bound {
  last: number;
  valuedAt: number;
}

/** The bound at a moment in Unix milliseconds: events before it count, and it is valued in the second it lies in. */
export function boundAt(milliseconds: number): Bound {
  return { last: Math.ceil(milliseconds / 1_000) - 1, valuedAt: Math.floor(milliseconds / 1_000) };
}

/** What some wallets had in one product at the beginning, right after each step, and at the end. */
export interface Balances {
  opening: Balance;
  after: Balance[];
  closing: Balance;
}

/** Of a demand deposit. `before` are the wallets' positions at the beginning. */
export async function demandBalances(
  tx: Orm,
  { product }: CurrentProduct,
  before: readonly PositionState[],
  steps: readonly Step[],
  from: Bound,
  to: Bound,
): Promise<Balances> {
  const positions = new Map<Hex, PositionState>(before.map((position) => [position.wallet, position]));
  const balance = (pool: Pool | undefined): Balance => {
    const sum = { shares: 0n, principal: null, claimable: 0n, value: 0n };
    for (const position of positions.values()) {
      if (!pool) throw new RangeError(`${product.shortId} has stakes and no accounts`);
      sum.shares += position.shares;
      sum.claimable += position.claimable;
      sum.value += demandValue(position, pool);
    }
    return sum;
  };
  const balanceAt = async ({ last, valuedAt }: Bound) => {
    const [then] = positions.size === 0 ? [] : await vaultAt(tx, product, [last]);
    return balance(then && poolAt(then.vault, valuedAt));
  };
  const opening = await balanceAt(from);
  const vaults = await vaultAfter(tx, product, steps.flatMap(placeOf));
  const after = steps.map((step, index) => {
    for (const { position } of step) positions.set(position.wallet, position);
    const [vault, [place]] = [vaults[index], placeOf(step)];
    return balance(vault && place && poolAt(vault, place.time));
  });
  return { opening, after, closing: await balanceAt(to) };
}

/** So many receipts are valued before other requests have their turn. */
const MOST_AT_A_TIME = 20_000;

/** Of a time deposit. */
export async function timeBalances(
  tx: Orm,
  { product, terms }: CurrentTermProduct,
  wallets: readonly Hex[],
  steps: readonly Step[],
  from: Bound,
  to: Bound,
): Promise<Balances> {
  const versions = await receiptVersions(tx, product, wallets);
  const held = heldReceipts(versions, terms);
  const live = new Map<bigint, HeldReceipt>();
  let next = 0;
  /** Goes on to the last version that `isPast`. */
  const advance = (isPast: (version: Receipt) => boolean) => {
    for (let one = held[next]; one && isPast(one.receipt); one = held[next]) {
      const { receiptId, status, owner } = one.receipt;
      if (status === receiptStatus.live && wallets.includes(owner)) live.set(receiptId, one);
      else live.delete(receiptId);
      next += 1;
    }
  };
  const balance = (books: TermState | undefined, at: number): Balance => {
    const sum = { shares: null, principal: 0n, claimable: 0n, value: 0n };
    if (live.size === 0) return sum;
    if (!books) throw new RangeError(`${product.shortId} has receipts and no accounts`);
    const now = [...live.values()];
    return {
      ...sum,
      principal: now.reduce((total, { receipt }) => total + receipt.principal, 0n),
      claimable: collectableOf(now, books, at),
      value: worthOf(now, books, at),
    };
  };
  const balanceAt = async ({ last, valuedAt }: Bound) => {
    advance((version) => version.time <= last);
    const [then] = live.size === 0 ? [] : await termStateAt(tx, product, [last]);
    return balance(then?.books, valuedAt);
  };
  const opening = await balanceAt(from);
  const books = await termStateAfter(tx, product, steps.flatMap(placeOf));
  const after: Balance[] = [];
  let worked = 0;
  for (const [index, step] of steps.entries()) {
    const [place] = placeOf(step);
    if (!place) throw new RangeError("A step changes nothing");
    advance(({ block, logIndex }) => block < place.block || (block === place.block && logIndex <= place.logIndex));
    after.push(balance(books[index], place.time));
    worked += live.size;
    if (worked > MOST_AT_A_TIME) {
      worked = 0;
      await setImmediate();
    }
  }
  return { opening, after, closing: await balanceAt(to) };
}

/** Where the event of a step stands. */
function placeOf(step: Step): PositionState[] {
  return step.slice(0, 1).map(({ position }) => position);
}
