import type { Product as ListedProduct, TermOffer, TimeDetail } from "@aqua/sdk/api/product";
import { secondsPerDay } from "@aqua/sdk/maths/apy";
import {
  capacityOf,
  coverageOf,
  freeInterest,
  type Receipt as ReceiptFigures,
  receiptValue,
  roomOf,
} from "@aqua/sdk/maths/receipts";
import { maturityOf, quotedApy, simpleInterest, timeUnits } from "@aqua/sdk/maths/term";
import { formatUnits } from "@aqua/sdk/maths/units";
import { accountsOf, figuresOf } from "../indexer/termReplay.ts";
import type { Term, TermState } from "../indexer/world.ts";
import { isLapsed } from "./capacity.ts";
import { lossReviewOf } from "./lossReview.ts";
import { type CurrentTermProduct, isHeld, type ReceiptVersion } from "./termStore.ts";

/** Decimals of the rates and ratios in the contracts. */
const RATE_DECIMALS = 18;
/** A principal so large that rounding does not affect its rate. */
const SAMPLE = 10n ** 24n;

export function formatRatio(value: bigint): string {
  return formatUnits(value, RATE_DECIMALS);
}

/** Converts the receipts of a product, with their terms, to the input of the maths functions. */
export function figuresIn(terms: readonly Term[], receipts: readonly ReceiptVersion[]): ReceiptFigures[] {
  return receipts.map((receipt) => {
    const term = terms[receipt.termId];
    if (!term) throw new RangeError(`receipt ${receipt.receiptId} has an unknown term ${receipt.termId}`);
    return figuresOf(receipt, term);
  });
}

/** Returns the total value of live receipts at `now` (Unix seconds), in smallest units of the asset. */
export function worthOf(receipts: readonly ReceiptFigures[], books: TermState, now: number): bigint {
  const accounts = accountsOf(books);
  return receipts.reduce((sum, receipt) => sum + receiptValue(receipt, accounts, BigInt(now)), 0n);
}

/**
 * Returns the amount of these receipts that could leave at once at `now` (Unix seconds), by the rules of the
 * contract.
 */
export function termCapacity(receipts: readonly ReceiptFigures[], current: CurrentTermProduct, now: number): bigint {
  return capacityOf({
    receipts,
    accounts: accountsOf(current.books),
    at: BigInt(now),
    paused: isHeld(current, now),
  });
}

/** Returns the terms as a depositor could sign them at `now` (Unix seconds). */
function offersOf({ product, books, terms }: CurrentTermProduct, now: number): TermOffer[] {
  const at = BigInt(now);
  const accounts = { ...accountsOf(books), cap: books.cap };
  return terms.map((term) => {
    const unit = timeUnits[term.unit];
    if (!unit) throw new RangeError(`term ${term.termId} is counted in an unknown unit ${term.unit}`);
    const maturity = maturityOf(at, { count: term.count, unit });
    const interest = simpleInterest(SAMPLE, term.rate, maturity - at);
    return {
      term_id: term.termId,
      value: term.count,
      unit,
      rate: formatRatio(term.rate),
      break_rate: formatRatio(term.breakRate),
      penalty: formatRatio(term.penalty),
      open: term.open,
      cap: formatUnits(term.cap, product.assetDecimals),
      room: formatUnits(roomOf(term, accounts, maturity - at), product.assetDecimals),
      maturity: Number(maturity) * 1_000,
      apy: quotedApy({ principal: SAMPLE, interest, openedAt: at, maturity }),
    };
  });
}

/** Returns the open terms, shortest first. Returns none once the product is winding down. */
function openOffers(current: CurrentTermProduct, now: number): TermOffer[] {
  if (current.books.claims > 0n) return [];
  const open = offersOf(current, now).filter((offer) => offer.open);
  return open.sort((a, b) => a.maturity - b.maturity || a.term_id - b.term_id);
}

/** Returns the fields of a list row that only time deposits have. `receipts` are the live ones of the product. */
export function termFigures(current: CurrentTermProduct, receipts: readonly ReceiptFigures[], now: number) {
  const { product, books } = current;
  const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
  const open = openOffers(current, now);
  // The best term is the one with the highest quoted APY.
  const best = open.toSorted((a, b) => Number(b.apy ?? 0) - Number(a.apy ?? 0))[0] ?? null;
  const days = best === null ? 0 : Math.round((best.maturity / 1_000 - now) / Number(secondsPerDay));
  return {
    type: "time_deposit",
    share: null,
    apy: { value: best?.apy ?? null, window_days: days, kind: "fixed", annualised: true },
    term: best && { value: best.value, unit: best.unit },
    open_terms: open.map(({ value, unit, rate, apy }) => ({ value, unit, rate, apy })),
    tvl: assets(worthOf(receipts, books, now)),
    cap: assets(books.cap),
    cap_used: assets(books.principal),
    min_deposit: assets(books.minDeposit),
    instant_capacity: assets(termCapacity(receipts, current, now)),
    wait: null,
    conditions: {
      cash: assets(books.cash),
      deployed: assets(books.deployed),
      performance_fee: null,
      vesting: null,
      early_withdrawal: earlyWithdrawal(open),
    },
    holders: books.holders,
    proof_age: null,
    paused_until: books.pausedUntil === 0 ? null : books.pausedUntil * 1_000,
    deposits_paused: isHeld(current, now) || isLapsed(books.evidenceUntil, now),
  } satisfies Partial<ListedProduct>;
}

/** Returns the worst conditions among the open terms, or null if there is no open term. */
function earlyWithdrawal(open: readonly TermOffer[]): ListedProduct["conditions"]["early_withdrawal"] {
  const [first, ...others] = open;
  if (first === undefined) return null;
  return others.reduce(
    (worst, term) => ({
      rate: Number(term.break_rate) < Number(worst.rate) ? term.break_rate : worst.rate,
      penalty: Number(term.penalty) > Number(worst.penalty) ? term.penalty : worst.penalty,
    }),
    { rate: first.break_rate, penalty: first.penalty },
  );
}

/** Returns the fields of a page that only time deposits have. */
export function termPage(
  current: CurrentTermProduct,
  now: number,
): Pick<TimeDetail, "evidence_until" | "loss_reviewed_until" | "terms" | "books"> {
  const { product, books } = current;
  const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
  const accounts = accountsOf(books);
  const coverage = coverageOf(accounts);
  const review = lossReviewOf(current, now);
  const { cash, deployed, principal, liabilities, reserved, claims, received, losses, receipts } = books;
  return {
    evidence_until: books.evidenceUntil === 0 ? null : books.evidenceUntil * 1_000,
    loss_reviewed_until: review && review.until * 1_000,
    terms: offersOf(current, now),
    books: {
      cash: assets(cash),
      deployed: assets(deployed),
      principal: assets(principal),
      liabilities: assets(liabilities),
      reserved: assets(claims > 0n ? 0n : reserved),
      free_interest: assets(freeInterest(accounts)),
      coverage: coverage === null ? null : formatRatio(coverage),
      losses: assets(losses),
      winding_down: claims === 0n ? null : { claims: assets(claims), received: assets(received) },
      receipts,
    },
  };
}
