import type { TermOffer } from "@aqua/sdk/api/product";
import { exitPayout, interestAtMaturity, maturityOf, quotedApy, simpleInterest, type Term } from "@aqua/sdk/maths/term";
import { larger, mulDivCeil, parseUnits, smaller } from "@aqua/sdk/maths/units";
import type { ChainReceipt, ChainTerm, TermPosition } from "../../../wallet/chain/term-position.ts";

/** Amounts in smallest units, times in Unix seconds, rates with 18 decimals; every formula is TermDeposit's own. */

const wad = 10n ** 18n;
const day = 86_400n;
/** How many seconds late an opening may be mined: its maturity may be later than the shown one by this much. */
const openingSlack = 3_600n;

/** An offer of the API as a term, for visitors without a wallet. */
export function termOf(offer: TermOffer): Term {
  return {
    count: offer.value,
    unit: offer.unit,
    rate: parseUnits(offer.rate, 18),
    breakRate: parseUnits(offer.break_rate, 18),
    penalty: parseUnits(offer.penalty, 18),
  };
}

export interface Opening {
  principal: bigint;
  interest: bigint;
  /** The least interest of an opening that is mined within `openingSlack`. */
  minInterest: bigint;
  maturity: bigint;
  /** The latest maturity the transaction accepts. */
  latestMaturity: bigint;
  /** The longest duration of an opening that is mined within `openingSlack`, whose interest must be funded. */
  longest: bigint;
  apy: string | null;
}

/** What a deposit of `principal` opened at `at` is due, and when. */
export function openingAt(principal: bigint, term: Term, at: bigint): Opening {
  const maturity = maturityOf(at, term);
  const interest = interestAtMaturity(principal, term, at);
  const { latestMaturity, shortest, longest } = windowFrom(at, term);
  return {
    principal,
    interest,
    minInterest: simpleInterest(principal, term.rate, shortest),
    maturity,
    latestMaturity,
    longest,
    apy: quotedApy({ principal, interest, openedAt: at, maturity }),
  };
}

/**
 * The latest maturity and the durations of an opening from `at` to `openingSlack` later. A term has the same duration all
 * UTC day, and another one on the next: 28 and 29 January + 1 month both lead to 28 February, and a month is three days
 * longer from 1 March than from 28 February.
 */
function windowFrom(at: bigint, term: Term): Pick<Opening, "latestMaturity" | "longest"> & { shortest: bigint } {
  const end = at + openingSlack;
  const midnight = (end / day) * day;
  const last = maturityOf(end, term);
  const beforeMidnight = midnight > at ? maturityOf(midnight - 1n, term) : last;
  const durations = [maturityOf(at, term) - at, last - end] as const;
  return {
    latestMaturity: larger(last, beforeMidnight),
    shortest: smaller(...durations),
    longest: larger(...durations),
  };
}

export interface DayOfExit {
  at: bigint;
  payout: bigint;
  /** Part of the payout: interest at the break rate, or all interest from maturity on. */
  interest: bigint;
  /** The part of the principal that the exit costs. */
  penalty: bigint;
}

/** On how many days after the opening an exit is possible; the last is the day of maturity. */
export function daysOf(openedAt: bigint, term: Term): number {
  return Number((maturityOf(openedAt, term) - openedAt + day - 1n) / day);
}

/** What an exit at `at` pays, and its parts. */
export function exitAt({
  principal,
  term,
  openedAt,
  at,
}: {
  principal: bigint;
  term: Term;
  openedAt: bigint;
  at: bigint;
}): DayOfExit {
  const matured = at >= maturityOf(openedAt, term);
  const payout = exitPayout({ principal, term, openedAt, at });
  const penalty = matured ? 0n : mulDivCeil(principal, term.penalty, wad);
  return { at, payout, interest: payout - principal + penalty, penalty };
}

/** The same on a day after the opening; the last day is that of maturity. */
export function exitOnDay({
  principal,
  term,
  openedAt,
  number,
}: {
  principal: bigint;
  term: Term;
  openedAt: bigint;
  number: number;
}): DayOfExit {
  const maturity = maturityOf(openedAt, term);
  const at = openedAt + BigInt(number) * day;
  return exitAt({ principal, term, openedAt, at: at < maturity ? at : maturity });
}

/** The relevant parts of a contract's accounts. */
export type Accounting = Pick<TermPosition, "cash" | "deployed" | "liabilities" | "reserved">;

const above0 = (value: bigint) => (value > 0n ? value : 0n);

/** Principal that the caps of product and term still allow. */
export function capRoom({ cap, liabilities, reserved }: TermPosition, term: ChainTerm): bigint {
  return above0(smaller(cap - (liabilities - reserved), term.cap - term.principal));
}

/** Funded interest that is not promised yet. */
function freeInterest({ cash, deployed, liabilities }: Accounting): bigint {
  return above0(cash + deployed - liabilities);
}

/** The largest principal whose interest is funded for a term of `seconds`. */
export function fundedRoom(books: Accounting, rate: bigint, seconds: bigint): bigint {
  const year = 365n * day;
  return ((freeInterest(books) + 1n) * year * wad - 1n) / (rate * seconds);
}

/** The accounts without a receipt, before it is paid. */
function without(books: Accounting, { principal, interest }: { principal: bigint; interest: bigint }): Accounting {
  return {
    ...books,
    liabilities: books.liabilities - principal - interest,
    reserved: books.reserved - interest,
  };
}

export function interestOf({ principal, term, openedAt }: ChainReceipt): bigint {
  return interestAtMaturity(principal, term, openedAt);
}

/** Cash available for a payment at maturity. */
export function cashForClose(books: Accounting, receipt: ChainReceipt): bigint {
  const interest = interestOf(receipt);
  return above0(books.cash - without(books, { principal: receipt.principal, interest }).reserved);
}

/** Cash available for an early exit: all but the reserved interest, half the buffer and what is demanded. */
export function cashForExit(books: Accounting & { buffer: bigint; demanded: bigint }, receipt: ChainReceipt): bigint {
  const rest = without(books, { principal: receipt.principal, interest: interestOf(receipt) });
  const kept = rest.reserved + mulDivCeil(rest.liabilities - rest.reserved, books.buffer, wad) / 2n + books.demanded;
  return above0(rest.cash - kept);
}

export interface Rolling extends Opening {
  /** Interest that is paid out instead of rolled over. */
  paid: bigint;
}

/** The deposit that results from rolling over a matured receipt under `term` at `at`. */
export function rollingAt({
  receipt,
  term,
  what,
  at,
}: {
  receipt: ChainReceipt;
  term: Term;
  what: "principal" | "all";
  at: bigint;
}): Rolling {
  const interest = interestOf(receipt);
  const principal = what === "all" ? receipt.principal + interest : receipt.principal;
  return { ...openingAt(principal, term, at), paid: what === "all" ? 0n : interest };
}

/** What prevents a rollover; null when nothing does. */
export function rollLimit({
  position,
  receipt,
  term,
  what,
}: {
  position: TermPosition;
  receipt: ChainReceipt;
  term: ChainTerm;
  what: "principal" | "all";
}): { code: "cap" | "interest" | "minimum" | "nothing"; room: bigint } | null {
  const at = BigInt(Math.floor(position.time / 1_000));
  const rolling = rollingAt({ receipt, term, what, at });
  const before = without(position, { principal: receipt.principal, interest: interestOf(receipt) });
  const rest: Accounting = { ...before, cash: before.cash - rolling.paid };
  if (rolling.principal < position.minDeposit) return { code: "minimum", room: position.minDeposit };
  if (rolling.interest === 0n) return { code: "nothing", room: 0n };
  const own = receipt.term.id === term.id ? receipt.principal : 0n;
  const room = capRoom({ ...position, ...rest }, { ...term, principal: term.principal - own });
  if (rolling.principal > room) return { code: "cap", room };
  const funded = smaller(
    freeInterest({ ...rest, liabilities: rest.liabilities + rolling.principal }),
    rest.cash - rest.reserved,
  );
  return rolling.interest > funded ? { code: "interest", room: above0(funded) } : null;
}
