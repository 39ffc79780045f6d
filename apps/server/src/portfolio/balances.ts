import { setImmediate } from "node:timers/promises";
import type { Hex } from "viem";
import { receiptStatus } from "../indexer/termReplay.ts";
import { type PositionState, type Priced, poolAt, type Receipt, type TermState } from "../indexer/world.ts";
import type { CurrentProduct } from "../product/store.ts";
import type { CurrentTermProduct } from "../product/termStore.ts";
import type { Balance, Step } from "./ledger.ts";
import type { Accounts, PositionChange } from "./positionStore.ts";
import { demandValue } from "./positions.ts";
import { collectableOf, type HeldReceipt, heldReceipts, worthOf } from "./receipts.ts";

/**
 * The boundary between two statements. Both fields are in Unix seconds. A statement counts the events up to and
 * including `last`, and values the balance at `valuedAt`. The closing balance of one statement therefore equals the
 * opening balance of the next.
 */
export interface Bound {
  last: number;
  valuedAt: number;
}

/**
 * Returns the bound at a moment in Unix milliseconds. Events before the moment count. The balance is valued at the
 * second that contains the moment.
 */
export function boundAt(milliseconds: number): Bound {
  return { last: Math.ceil(milliseconds / 1_000) - 1, valuedAt: Math.floor(milliseconds / 1_000) };
}

/** Balances of some wallets in one product at the start, after each step, and at the end. */
export interface Balances {
  opening: Balance;
  after: Balance[];
  closing: Balance;
}

/**
 * Computes the balances in a demand deposit. `before` holds the positions of the wallets at the start. `at` returns
 * the product's accounts at the `last` of either bound.
 */
export function demandBalances({
  current: { product },
  before,
  steps,
  from,
  to,
  at,
}: {
  current: CurrentProduct;
  before: readonly PositionState[];
  steps: readonly Step[];
  from: Bound;
  to: Bound;
  at: (time: number) => Accounts;
}): Balances {
  const positions = new Map<Hex, PositionState>(before.map((position) => [position.wallet, position]));
  const balance = (vault: Priced | null, time: number): Balance => {
    const sum = { shares: 0n, principal: null, claimable: 0n, value: 0n };
    if (positions.size === 0) return sum;
    if (!vault) throw new RangeError(`${product.shortId} has positions and no accounts`);
    const pool = poolAt(vault, time);
    for (const position of positions.values()) {
      sum.shares += position.shares;
      sum.claimable += position.claimable;
      sum.value += demandValue(position, pool);
    }
    return sum;
  };
  const opening = balance(at(from.last).vault, from.valuedAt);
  const after = steps.map((step) => {
    for (const { position } of step) positions.set(position.wallet, position);
    const { position, vault } = firstOf(step);
    return balance(vault, position.time);
  });
  return { opening, after, closing: balance(at(to.last).vault, to.valuedAt) };
}

/** Number of receipts to value before the loop yields to other requests. */
const MAX_AT_A_TIME = 20_000;

/**
 * Computes the balances in a time deposit. `versions` are the versions of every receipt that the wallets ever owned
 * in it, oldest first.
 */
export async function timeBalances({
  current: { product, terms },
  wallets,
  versions,
  steps,
  from,
  to,
  at,
}: {
  current: CurrentTermProduct;
  wallets: readonly Hex[];
  versions: readonly Receipt[];
  steps: readonly Step[];
  from: Bound;
  to: Bound;
  at: (time: number) => Accounts;
}): Promise<Balances> {
  const held = heldReceipts(versions, terms);
  const live = new Map<bigint, HeldReceipt>();
  let next = 0;
  /** Advances to the last version that `isPast`. */
  const advance = (isPast: (version: Receipt) => boolean) => {
    for (let one = held[next]; one && isPast(one.receipt); one = held[next]) {
      const { receiptId, status, owner } = one.receipt;
      if (status === receiptStatus.live && wallets.includes(owner)) live.set(receiptId, one);
      else live.delete(receiptId);
      next += 1;
    }
  };
  const balance = (books: TermState | null, time: number): Balance => {
    const sum = { shares: null, principal: 0n, claimable: 0n, value: 0n };
    if (live.size === 0) return sum;
    if (!books) throw new RangeError(`${product.shortId} has receipts and no accounts`);
    const now = [...live.values()];
    return {
      ...sum,
      principal: now.reduce((total, { receipt }) => total + receipt.principal, 0n),
      claimable: collectableOf(now, books, time),
      value: worthOf(now, books, time),
    };
  };
  const balanceAt = ({ last, valuedAt }: Bound) => {
    advance((version) => version.time <= last);
    return balance(at(last).books, valuedAt);
  };
  const opening = balanceAt(from);
  const after: Balance[] = [];
  let worked = 0;
  for (const step of steps) {
    const { position: place, books } = firstOf(step);
    advance(({ block, logIndex }) => block < place.block || (block === place.block && logIndex <= place.logIndex));
    after.push(balance(books, place.time));
    worked += live.size;
    if (worked > MAX_AT_A_TIME) {
      worked = 0;
      await setImmediate();
    }
  }
  return { opening, after, closing: balanceAt(to) };
}

/** Adds the position of a step's event in the chain and the accounts right after the event. */
function firstOf([first]: Step): PositionChange {
  if (!first) throw new RangeError("A step changes nothing");
  return first;
}
