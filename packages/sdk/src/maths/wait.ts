import { DAY_MS } from "../durations.ts";
/** One day of a vault's history. */
export interface Day {
  /** Assets that became idle, in smallest units: net deposits, repayments and income. Negative if more left at once. */
  inflow: bigint;
  /** True if there was an income report on that day. */
  reported: boolean;
}

/** An exit whose duration is estimated. Assets in smallest units. */
export interface Exit {
  amount: bigint;
  /** Assets that can leave at once, for all holders together. */
  instant: bigint;
  /** Value of the requests ahead of it in the queue. */
  ahead: bigint;
  /** Assets that are idle now and available to the queue. */
  idle: bigint;
  /** Whole days until it is payable. Null while it waits for a report, as every new request does. */
  payableIn: number | null;
  /** Whole days from the report that it waits for until it is payable. */
  streamDays: number;
  /** Known future inflow by day, where 1 is the first day: agreed repayments and maturities. */
  scheduled?: readonly { day: number; assets: bigint }[];
}

/** Milliseconds within which half and nine tenths of such exits were done. */
export interface Wait {
  p50: number;
  p90: number;
}

/** The minimum number of start days. With fewer there is no estimate. */
export const minStarts = 10;

/**
 * Estimates the duration of an exit from the history (oldest day first). For each past day it computes the duration of
 * an exit requested at the start of that day: the exit is done once it is payable and the inflow since then, plus the
 * scheduled inflow, covers the missing amount. A horizon of T days counts only starts that are followed by T days. P50
 * and P90 are the first horizons within which half and nine tenths of those exits were done. This compares the missing
 * amount with the quantile of past inflow over T days. Null if the history is too short or its inflow never sufficed. 0
 * if the amount can leave at once.
 * @example estimateWait(Array.from({ length: 20 }, () => ({ inflow: 50n, reported: true })), { amount: 120n, instant: 0n, ahead: 0n, idle: 0n, payableIn: 0, streamDays: 1 }) // { p50: 259200000, p90: 259200000 }
 */
export function estimateWait(past: readonly Day[], exit: Exit): Wait | null {
  if (exit.amount <= exit.instant) return { p50: 0, p90: 0 };
  const done = daysUntilDone(past, exit);
  const p50 = firstHorizon(done, 5);
  const p90 = firstHorizon(done, 9);
  return p50 === null || p90 === null ? null : { p50: p50 * DAY_MS, p90: p90 * DAY_MS };
}

/**
 * The smallest amount of money that became idle within a horizon, in half and in nine tenths of the past. Smallest
 * units.
 */
export interface Inflow {
  p50: bigint;
  p90: bigint;
}

/**
 * Money that may become idle within each number of days from 1 to `most`, measured as in `estimateWait`: a payable exit
 * that lacks X is done within P50 days exactly when `p50` of these days reaches X. The value of a day is the largest of
 * all days up to it, so neither line falls. The list ends early if fewer than `minStarts` starts are followed by so
 * many days.
 * @example inflowWithin(Array.from({ length: 20 }, () => ({ inflow: 50n, reported: true })), 3) // [{ p50: 50n, p90: 50n }, { p50: 100n, p90: 100n }, { p50: 150n, p90: 150n }]
 */
export function inflowWithin(past: readonly Day[], most: number): Inflow[] {
  const sums = past.map(() => 0n);
  const reached: bigint[] = [];
  const ahead: Inflow[] = [];
  for (let days = 1; days <= most && past.length - days + 1 >= minStarts; days += 1) {
    const starts = past.length - days + 1;
    for (let start = 0; start < starts; start += 1) {
      const sum = (sums[start] as bigint) + (past[start + days - 1] as Day).inflow;
      sums[start] = sum;
      const before = reached[start];
      if (before === undefined || sum > before) reached[start] = sum;
    }
    const sorted = reached.slice(0, starts).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
    const last = ahead.at(-1);
    const within = (tenths: number) => sorted[Math.ceil((starts * tenths) / 10) - 1] as bigint;
    ahead.push({ p50: larger(within(5), last?.p50), p90: larger(within(9), last?.p90) });
  }
  return ahead;
}

/**
 * The smallest idle money with which an exit of `amount`, with `ahead` before it in the queue, is paid out of `inflow`.
 * With the P90 of `inflowWithin` some days, nine tenths of such exits were done within these days, once they were payable.
 * Smallest units.
 * @example idleFor({ amount: 120n, ahead: 30n, inflow: 100n }) // 50n
 */
export function idleFor({ amount, ahead, inflow }: { amount: bigint; ahead: bigint; inflow: bigint }): bigint {
  const lacking = amount + ahead - inflow;
  return lacking > 0n ? lacking : 0n;
}

function larger(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b > a ? b : a;
}

/** For a start on each past day, the days that the exit would have taken. Infinity if the history ends before. */
function daysUntilDone(past: readonly Day[], exit: Exit): number[] {
  const { amount, ahead, idle, payableIn, streamDays, scheduled = [] } = exit;
  const due = [...scheduled].sort((a, b) => a.day - b.day);
  const inflowBefore = sumsBefore(past);
  const reportFrom = nextReports(past);
  return past.map((_, start) => {
    const payableOn = payableIn ?? (reportFrom[start] as number) - start + 1 + streamDays;
    // The sum that the inflow since the start of the history must reach. It is compared day by day instead of
    // subtracted.
    let enough = (inflowBefore[start] as bigint) + ahead + amount - idle;
    let next = 0;
    for (let days = Math.max(1, payableOn); start + days <= past.length; days += 1) {
      for (let one = due[next]; one && one.day <= days; one = due[next]) {
        enough -= one.assets;
        next += 1;
      }
      if ((inflowBefore[start + days] as bigint) >= enough) return days;
    }
    return Number.POSITIVE_INFINITY;
  });
}

/** The total inflow before each index. */
function sumsBefore(past: readonly Day[]): bigint[] {
  const sums = [0n];
  for (const [index, { inflow }] of past.entries()) sums.push((sums[index] as bigint) + inflow);
  return sums;
}

/** For each day, the index of the next day with a report, including itself. Infinity if there is none. */
function nextReports(past: readonly Day[]): number[] {
  const next: number[] = new Array(past.length);
  let report = Number.POSITIVE_INFINITY;
  for (let index = past.length - 1; index >= 0; index -= 1) {
    if (past[index]?.reported) report = index;
    next[index] = report;
  }
  return next;
}

/**
 * The smallest number of days within which `tenths` tenths of the starts followed by that many days were done. Null if
 * there is none.
 */
function firstHorizon(done: readonly number[], tenths: number): number | null {
  const byLength: number[][] = done.map(() => []);
  for (const [start, days] of done.entries()) byLength[days - 1]?.push(start);
  let within = 0;
  for (let days = 1; done.length - days + 1 >= minStarts; days += 1) {
    const starts = done.length - days + 1;
    // The last start of the previous horizon is followed by too few days for this one.
    if ((done[starts] ?? Number.POSITIVE_INFINITY) < days) within -= 1;
    for (const start of byLength[days - 1] ?? []) if (start < starts) within += 1;
    if (within * 10 >= starts * tenths) return days;
  }
  return null;
}
