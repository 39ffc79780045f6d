import { DAY } from "../durations.ts";
import { secondsPerDay, secondsPerYear } from "./apy.ts";
import { formatRate, mulDivCeil, mulDivFloor } from "./units.ts";

/**
 * Time deposits, exactly as TermDeposit computes them: simple interest, ACT/365 fixed, UTC. Amounts in smallest units,
 * times in Unix seconds from 1970 on, rates and ratios with 18 decimals (10^18 = 100 %).
 */
const wad = 10n ** 18n;

/** How long after maturity (seconds) an instruction to roll over can be carried out; AUTO_ROLL_WINDOW of TermDeposit. */
export const autoRollWindow = 3 * DAY;

/** The contract's `unit` is an index of this list. */
export const timeUnits = ["day", "week", "month", "year"] as const;
export type TimeUnit = (typeof timeUnits)[number];

/**
 * The length and the rates of a time deposit.
 * @example const term = { count: 6, unit: "month", rate: 78_000_000_000_000_000n, breakRate: 20_000_000_000_000_000n, penalty: 5_000_000_000_000_000n }
 */
export interface Term {
  count: number;
  unit: TimeUnit;
  /** Yearly interest rate. */
  rate: bigint;
  /** Yearly interest rate of an early exit; below `rate`. */
  breakRate: bigint;
  /** The fraction of the principal that an early exit costs. */
  penalty: bigint;
}

/**
 * The maturity of a term opened at `openedAt`. A month or year ends on the same day of the month at the same time of
 * day. If that month has no such day, it ends on its last day (31 January + 1 month = 28 or 29 February).
 * @example maturityOf(1_769_817_600n, { count: 1, unit: "month" }) // 1772236800n
 */
export function maturityOf(openedAt: bigint, term: Pick<Term, "count" | "unit">): bigint {
  const count = BigInt(term.count);
  if (term.unit === "day") return openedAt + count * secondsPerDay;
  if (term.unit === "week") return openedAt + 7n * count * secondsPerDay;
  const { month, day } = civil(openedAt / secondsPerDay);
  const end = month + (term.unit === "month" ? count : 12n * count);
  const first = firstOf(end);
  const length = firstOf(end + 1n) - first;
  return (first + (day < length ? day : length) - 1n) * secondsPerDay + (openedAt % secondsPerDay);
}

/**
 * Simple interest: ⌊principal · rate · seconds / 365 days⌋.
 * @example simpleInterest(1_000_000_000n, 78_000_000_000_000_000n, 86_400n) // 213698n
 */
export function simpleInterest(principal: bigint, rate: bigint, seconds: bigint): bigint {
  return mulDivFloor(principal * rate, seconds, secondsPerYear * wad);
}

/**
 * Interest due at maturity for a deposit opened at `openedAt`, fixed at opening.
 * @example interestAtMaturity(1_000_000_000n, term, 1_767_225_600n) // 38679452n
 */
export function interestAtMaturity(principal: bigint, term: Term, openedAt: bigint): bigint {
  return simpleInterest(principal, term.rate, maturityOf(openedAt, term) - openedAt);
}

/**
 * Interest earned up to `at`: from 0 at the opening to `interestAtMaturity`, which it never exceeds.
 * @example accruedInterest({ principal: 1_000_000_000n, term, openedAt: 1_767_225_600n, at: 1_769_904_000n }) // 6624657n
 */
export function accruedInterest({
  principal,
  term,
  openedAt,
  at,
}: {
  principal: bigint;
  term: Term;
  openedAt: bigint;
  at: bigint;
}): bigint {
  const maturity = maturityOf(openedAt, term);
  const until = at < maturity ? at : maturity;
  return until <= openedAt ? 0n : simpleInterest(principal, term.rate, until - openedAt);
}

/**
 * The payout of an exit at `at`. From maturity on: principal and interest. Before: principal − ⌈principal · penalty⌉ +
 * interest at the break rate. RangeError before the opening.
 * @example exitPayout({ principal: 1_000_000_000n, term, openedAt: 1_767_225_600n, at: 1_769_904_000n }) // 996698630n
 */
export function exitPayout({
  principal,
  term,
  openedAt,
  at,
}: {
  principal: bigint;
  term: Term;
  openedAt: bigint;
  at: bigint;
}): bigint {
  if (at < openedAt) throw new RangeError(`The exit at ${at} is before the opening at ${openedAt}`);
  if (at >= maturityOf(openedAt, term)) return principal + interestAtMaturity(principal, term, openedAt);
  return (
    principal - mulDivCeil(principal, term.penalty, wad) + simpleInterest(principal, term.breakRate, at - openedAt)
  );
}

/**
 * Quoted APY (1 + I/P)^(365/n) − 1 as a fraction with 6 decimals, where n is the number of days to maturity. Null if
 * there is no principal or the result is too large to print, as for one day at a huge rate.
 * @example quotedApy({ principal: 1_000_000_000n, interest: 38_679_452n, openedAt: 1_767_225_600n, maturity: 1_782_864_000n }) // "0.079534"
 */
export function quotedApy({
  principal,
  interest,
  openedAt,
  maturity,
}: {
  principal: bigint;
  interest: bigint;
  openedAt: bigint;
  maturity: bigint;
}): string | null {
  if (principal <= 0n || maturity <= openedAt) return null;
  const precision = 10n ** 15n;
  const growth = 1 + Number((interest * precision) / principal) / Number(precision);
  return formatRate(growth ** (Number(secondsPerYear) / Number(maturity - openedAt)) - 1);
}

/** Days from 1 March of the year 0 to 1 January 1970. */
const epoch = 719_468n;

/**
 * The date of a day (days since 1970), as months since January of the year 0 and a day from 1 to 31 (H. Hinnant's
 * algorithm).
 */
function civil(number: bigint): { month: bigint; day: bigint } {
  const shifted = number + epoch;
  const dayOfEra = shifted % 146_097n;
  const yearOfEra = (dayOfEra - dayOfEra / 1460n + dayOfEra / 36_524n - dayOfEra / 146_096n) / 365n;
  const dayOfYear = dayOfEra - (365n * yearOfEra + yearOfEra / 4n - yearOfEra / 100n);
  const fromMarch = (5n * dayOfYear + 2n) / 153n;
  return {
    month: ((shifted / 146_097n) * 400n + yearOfEra) * 12n + fromMarch + 2n,
    day: dayOfYear - (153n * fromMarch + 2n) / 5n + 1n,
  };
}

/** First day (days since 1970) of a month counted from January of the year 0. */
function firstOf(month: bigint): bigint {
  const fromMarch = month - 2n;
  const year = fromMarch / 12n;
  return 365n * year + year / 4n - year / 100n + year / 400n + (153n * (fromMarch % 12n) + 2n) / 5n - epoch;
}
