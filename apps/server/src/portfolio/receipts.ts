import { capacityOf, type Receipt as ReceiptFigures, withdrawNow } from "@aqua/sdk/maths/receipts";
import { accountsOf, figuresOf } from "../indexer/termReplay.ts";
import type { Receipt, Term, TermState } from "../indexer/world.ts";
import { worthOf as sumOf, termCapacity } from "../product/termOffers.ts";
import { type CurrentTermProduct, isHeld } from "../product/termStore.ts";

/** A live receipt of a time deposit with its term. */
export interface HeldReceipt {
  receipt: Receipt;
  term: Term;
  figures: ReceiptFigures;
}

export function heldReceipts(receipts: readonly Receipt[], terms: readonly Term[]): HeldReceipt[] {
  const byId = new Map(terms.map((term) => [term.termId, term]));
  return receipts.map((receipt) => {
    const term = byId.get(receipt.termId);
    if (!term) throw new RangeError(`Receipt ${receipt.receiptId} of ${receipt.product} has an unknown term`);
    return { receipt, term, figures: figuresOf(receipt, term) };
  });
}

/** Returns the value of receipts of one product at `at`, Unix seconds. */
export function worthOf(held: readonly HeldReceipt[], books: TermState, at: number): bigint {
  return sumOf(
    held.map((one) => one.figures),
    books,
    at,
  );
}

/** Returns the amount that would be paid if all of these receipts of one product left now, including early ones. */
export function withdrawableOf(held: readonly HeldReceipt[], current: CurrentTermProduct, at: number): bigint {
  return termCapacity(
    held.map((one) => one.figures),
    current,
    at,
  );
}

/** Returns the amount that can be collected at no cost: matured receipts, and every payment of a wind-down. */
export function collectableOf(held: readonly HeldReceipt[], books: TermState, at: number): bigint {
  const due = held.filter(({ figures }) => books.claims > 0n || figures.maturity <= BigInt(at));
  const receipts = due.map(({ figures }) => figures);
  // Nothing holds up a payment at maturity.
  return capacityOf({ receipts, accounts: accountsOf(books), at: BigInt(at), paused: false });
}

/** Returns the amount that one receipt would be paid now if no other receipt left before it. */
export function exitOfReceipt({ figures }: HeldReceipt, current: CurrentTermProduct, at: number): bigint {
  const accounts = accountsOf(current.books);
  return withdrawNow({ receipt: figures, accounts, at: BigInt(at), paused: isHeld(current, at) }).paid;
}
