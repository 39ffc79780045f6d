import { HOUR } from "../durations.ts";
import { secondsPerDay } from "./apy.ts";
import { capRoomOf, cashFor, freeInterest, penaltyOf, type TermAccounts } from "./receipts.ts";
import { exitPayout, interestAtMaturity, maturityOf, quotedApy, simpleInterest, type Term } from "./term.ts";
import { larger, smaller } from "./units.ts";

/**
 * Previews of the orders of a time deposit's owner: opening, closing, early exit and rollover, exactly as TermDeposit
 * computes them. Amounts in smallest units, times in Unix seconds, rates with 18 decimals.
 */

/**
 * Seconds from the preview to the block of an opening. The conditions of the transaction must hold for all this time.
 */
const openingSlack = BigInt(HOUR);

export interface Opening {
  principal: bigint;
  interest: bigint;
  /** The smallest interest of an opening that is mined within `openingSlack`. */
  minInterest: bigint;
  maturity: bigint;
  /** The latest maturity that the transaction accepts. */
  latestMaturity: bigint;
  /** The longest duration of an opening that is mined within `openingSlack`. Its interest must be funded. */
  longest: bigint;
  apy: string | null;
}

/**
 * Interest and maturity of a deposit of `principal` opened at `at`, and their bounds until it is mined.
 * @example openingAt(1_000_000_000n, term, 1_767_225_600n).interest // 38679452n
 */
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
 * The latest maturity, and the durations of an opening between `at` and `openingSlack` later. A term has the same
 * duration during a whole UTC day and may have another one on the next: 28 and 29 January + 1 month both lead to 28
 * February, and a month is three days longer from 1 March than from 28 February.
 */
function windowFrom(at: bigint, term: Term): Pick<Opening, "latestMaturity" | "longest"> & { shortest: bigint } {
  const end = at + openingSlack;
  const midnight = (end / secondsPerDay) * secondsPerDay;
  const last = maturityOf(end, term);
  const beforeMidnight = midnight > at ? maturityOf(midnight - 1n, term) : last;
  const durations = [maturityOf(at, term) - at, last - end] as const;
  return {
    latestMaturity: larger(last, beforeMidnight),
    shortest: smaller(...durations),
    longest: larger(...durations),
  };
}

/**
 * A live receipt from its owner's point of view. The interest follows from the term.
 * @example const term = { count: 6, unit: "month", rate: 78_000_000_000_000_000n, breakRate: 20_000_000_000_000_000n, penalty: 5_000_000_000_000_000n }
 * @example const receipt = { principal: 1_000_000_000n, openedAt: 1_767_225_600n, term: { count: 6, unit: "month", rate: 78_000_000_000_000_000n, breakRate: 20_000_000_000_000_000n, penalty: 5_000_000_000_000_000n } }
 */
export interface OwnReceipt {
  principal: bigint;
  openedAt: bigint;
  term: Term;
}

/**
 * Interest due at maturity.
 * @example interestOf(receipt) // 38679452n
 */
export function interestOf({ principal, term, openedAt }: OwnReceipt): bigint {
  return interestAtMaturity(principal, term, openedAt);
}

export interface Exit {
  at: bigint;
  payout: bigint;
  /** Part of the payout: interest at the break rate, or the full interest from maturity on. */
  interest: bigint;
  /** The part of the principal that the exit costs. */
  penalty: bigint;
}

/**
 * The payout of an exit at `at`, and its parts. RangeError before the opening.
 * @example exitAt(receipt, 1_769_904_000n).payout // 996698630n
 */
export function exitAt({ principal, term, openedAt }: OwnReceipt, at: bigint): Exit {
  const payout = exitPayout({ principal, term, openedAt, at });
  const penalty = at >= maturityOf(openedAt, term) ? 0n : penaltyOf({ principal, penalty: term.penalty });
  return { at, payout, interest: payout - principal + penalty, penalty };
}

/**
 * The number of days after the opening on which an exit is possible. The last is the day of maturity.
 * @example daysOf(1_767_225_600n, term) // 181
 */
export function daysOf(openedAt: bigint, term: Term): number {
  return Number((maturityOf(openedAt, term) - openedAt + secondsPerDay - 1n) / secondsPerDay);
}

/**
 * The payout of an exit `number` days after the opening. From the last day of `daysOf` on, it is the payout at
 * maturity.
 * @example exitOnDay(receipt, 31).payout // 996698630n
 */
export function exitOnDay(receipt: OwnReceipt, number: number): Exit {
  const maturity = maturityOf(receipt.openedAt, receipt.term);
  return exitAt(receipt, smaller(receipt.openedAt + BigInt(number) * secondsPerDay, maturity));
}

/**
 * Cash available for the receipt's payment at maturity, or as an early exit.
 * @example cashForReceipt(receipt, { cash: 1_200_000_000n, deployed: 0n, liabilities: 1_038_679_452n, reserved: 38_679_452n, claims: 0n, buffer: 0n }, true) // 1200000000n
 */
export function cashForReceipt(receipt: OwnReceipt, accounts: TermAccounts, early: boolean): bigint {
  return cashFor({ principal: receipt.principal, interest: interestOf(receipt) }, accounts, early);
}

export interface ExitLimit {
  /**
   * `principal`: more than the receipt has; `rest`: the rest would be below the minimum deposit or earn nothing;
   * `nothing`: the payout is 0; `cash`: the payout exceeds the available cash.
   */
  code: "principal" | "rest" | "nothing" | "cash";
  /** The largest possible principal, or for `cash` the largest possible payout. */
  room: bigint;
}

/**
 * The condition that prevents an early exit of a part (`principal`) of the receipt at `at`. Null if nothing prevents
 * it. The whole receipt may always leave, whatever the minimum deposit.
 * @example exitLimit({ receipt, principal: 999_999_999n, at: 1_769_904_000n, accounts: { cash: 1_200_000_000n, deployed: 0n, liabilities: 1_038_679_452n, reserved: 38_679_452n, claims: 0n, buffer: 0n, minDeposit: 100n } }) // { code: "rest", room: 999999900n }
 */
export function exitLimit({
  receipt,
  principal,
  at,
  accounts,
}: {
  receipt: OwnReceipt;
  principal: bigint;
  at: bigint;
  accounts: TermAccounts & { minDeposit: bigint };
}): ExitLimit | null {
  const rest = { ...receipt, principal: receipt.principal - principal };
  if (rest.principal < 0n) return { code: "principal", room: receipt.principal };
  if (rest.principal > 0n && (rest.principal < accounts.minDeposit || interestOf(rest) === 0n))
    return { code: "rest", room: larger(0n, receipt.principal - accounts.minDeposit) };
  const { payout } = exitAt({ ...receipt, principal }, at);
  if (payout === 0n) return { code: "nothing", room: receipt.principal };
  const room = cashFor({ principal, interest: interestOf(receipt) - interestOf(rest) }, accounts, true);
  return payout > room ? { code: "cash", room } : null;
}

export interface Rolling extends Opening {
  /** Interest that is paid out instead of rolled over. */
  paid: bigint;
}

export type RolledPart = "principal" | "all";

/**
 * The deposit that results from rolling over a matured receipt under `term` at `at`.
 * @example rollingAt({ receipt, term, what: "all", at: 1_782_864_000n }).principal // 1038679452n
 */
export function rollingAt({
  receipt,
  term,
  what,
  at,
}: {
  receipt: OwnReceipt;
  term: Term;
  what: RolledPart;
  at: bigint;
}): Rolling {
  const interest = interestOf(receipt);
  const principal = what === "all" ? receipt.principal + interest : receipt.principal;
  return { ...openingAt(principal, term, at), paid: what === "all" ? 0n : interest };
}

/** A term that can be chosen, with the principal that counts towards its cap. */
export interface OfferedTerm extends Term {
  id: number;
  cap: bigint;
  /** Principal of the term's live receipts. */
  principal: bigint;
}

export interface RollLimit {
  code: "cap" | "interest" | "minimum" | "nothing";
  /** The largest possible principal or interest; for `minimum`, the smallest principal. */
  room: bigint;
}

/** The condition that prevents a rollover of a matured receipt at `at`. Null if nothing prevents it. */
export function rollLimit({
  receipt,
  term,
  what,
  at,
  accounts,
}: {
  receipt: OwnReceipt & { term: Pick<OfferedTerm, "id"> };
  term: OfferedTerm;
  what: RolledPart;
  at: bigint;
  accounts: TermAccounts & { cap: bigint; minDeposit: bigint };
}): RollLimit | null {
  const rolling = rollingAt({ receipt, term, what, at });
  const interest = interestOf(receipt);
  const rest = {
    ...accounts,
    cash: accounts.cash - rolling.paid,
    liabilities: accounts.liabilities - receipt.principal - interest,
    reserved: accounts.reserved - interest,
  };
  if (rolling.principal < accounts.minDeposit) return { code: "minimum", room: accounts.minDeposit };
  if (rolling.interest === 0n) return { code: "nothing", room: 0n };
  const own = receipt.term.id === term.id ? receipt.principal : 0n;
  const room = capRoomOf({ cap: term.cap, principal: term.principal - own }, rest);
  if (rolling.principal > room) return { code: "cap", room };
  // The old receipt pays for the new one, so no cash comes in. Interest is promised from existing cash.
  const free = freeInterest({ ...rest, liabilities: rest.liabilities + rolling.principal });
  const funded = smaller(free, larger(0n, rest.cash - rest.reserved));
  return rolling.interest > funded ? { code: "interest", room: funded } : null;
}
