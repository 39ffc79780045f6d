import {
  capacityOf,
  type Receipt as ReceiptFigures,
  receiptValue,
  type TermAccounts,
  withdrawNow,
} from "../maths/receipts.ts";
import type { ReceiptRow, TermRow, TermStateRow } from "./rows.ts";
import type { TimeView } from "./view.ts";

/** The figures of a time deposit in smallest units. Times are Unix seconds. */

/** The status of a receipt that runs or has matured. */
const LIVE = 1;

/** A receipt with its term. */
export interface Held {
  receipt: ReceiptRow;
  term: TermRow;
  figures: ReceiptFigures;
}

export function accountsOf({ cash, deployed, liabilities, reserved, claims, buffer }: TermStateRow): TermAccounts {
  return { cash, deployed, liabilities, reserved, claims, buffer };
}

/** Joins receipts with their terms. */
export function heldOf({ terms }: TimeView, receipts: readonly ReceiptRow[]): Held[] {
  return receipts.map((receipt) => {
    const term = terms[receipt.termId];
    if (term === undefined) throw new RangeError(`Receipt ${receipt.receiptId} has an unknown term ${receipt.termId}`);
    const { principal, interest, paid, openedAt, maturity } = receipt;
    const { rate, breakRate, penalty } = term;
    const times = { openedAt: BigInt(openedAt), maturity: BigInt(maturity) };
    return { receipt, term, figures: { principal, interest, paid, ...times, rate, breakRate, penalty } };
  });
}

const live = new WeakMap<TimeView, Held[]>();

/** The live receipts in the order of their numbers. */
export function liveReceipts(view: TimeView): readonly Held[] {
  const known = live.get(view);
  if (known) return known;
  const newest = new Map(view.receipts.map((version) => [version.receiptId, version]));
  const now = [...newest.values()].filter(({ status }) => status === LIVE);
  const held = heldOf(
    view,
    now.sort((a, b) => (a.receiptId < b.receiptId ? -1 : 1)),
  );
  live.set(view, held);
  return held;
}

/** Walks through versions in chain order and returns the receipts that are live after those that `isPast`. */
export function liveWalk(
  versions: readonly ReceiptRow[],
  owner?: string,
): (isPast: (version: ReceiptRow) => boolean) => ReceiptRow[] {
  const now = new Map<bigint, ReceiptRow>();
  let next = 0;
  return (isPast) => {
    for (let one = versions[next]; one && isPast(one); one = versions[next]) {
      if (one.status === LIVE && (owner === undefined || one.owner === owner)) now.set(one.receiptId, one);
      else now.delete(one.receiptId);
      next += 1;
    }
    return [...now.values()];
  };
}

/** Value of receipts at `at`. */
export function worthOf(held: readonly Held[], books: TermStateRow, at: number): bigint {
  const accounts = accountsOf(books);
  return held.reduce((sum, { figures }) => sum + receiptValue(figures, accounts, BigInt(at)), 0n);
}

/** Whether early exits wait at `at`: for the end of a pause, or for a loss under review to be settled. */
export const isHeld = ({ books, reviewed }: TimeView, at: number) => at < books.pausedUntil || reviewed !== null;

/** The amount that these receipts could be paid now, early ones included. */
export function withdrawable(held: readonly Held[], of: TimeView, at: number): bigint {
  return capacityOf({
    receipts: held.map(({ figures }) => figures),
    accounts: accountsOf(of.books),
    at: BigInt(at),
    paused: isHeld(of, at),
  });
}

/** The amount that can be collected at no cost: matured receipts, and every payment of a winding down. */
export function collectable(held: readonly Held[], books: TermStateRow, at: number): bigint {
  const due = held.filter(({ figures }) => books.claims > 0n || figures.maturity <= BigInt(at));
  const receipts = due.map(({ figures }) => figures);
  // Nothing holds up a payment at maturity.
  return capacityOf({ receipts, accounts: accountsOf(books), at: BigInt(at), paused: false });
}

/** The amount that one receipt would be paid now if it were the first. */
export function exitOfReceipt({ figures }: Held, of: TimeView, at: number): bigint {
  const accounts = accountsOf(of.books);
  return withdrawNow({ receipt: figures, accounts, at: BigInt(at), paused: isHeld(of, at) }).paid;
}
