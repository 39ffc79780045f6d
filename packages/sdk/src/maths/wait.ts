/** A day of a vault's past. */
export interface Day {
  /** Assets that came to be idle, smallest units: net deposits, repayments and income. Below 0 where more left at once. */
  inflow: bigint;
  /** Whether an income report came in it. */
  reported: boolean;
}

/** An exit whose time is asked for. Assets in smallest units. */
export interface Exit {
  amount: bigint;
  /** Assets that can leave at once, all holders together. */
  instant: bigint;
  /** Value of what is ahead of it in the queue. */
  ahead: bigint;
  /** Assets that are idle now, for the queue to use. */
  idle: bigint;
  /** False while it still needs a report, as every new request does. */
  ready: boolean;
  /** What is known to come, by the day it comes, 1 is the first: repayments agreed and maturities. */
  scheduled?: readonly { day: number; assets: bigint }[];
}

/** Milliseconds within which one of two, and nine of ten, such exits were done. */
export interface Wait {
  p50: number;
  p90: number;
}

const DAY_MS = 86_400_000;
/** With fewer days to start from, the past says nothing. */
export const minStarts = 10;

/**
 * How long an exit takes, measured on the past (oldest day first): had it been asked for at the start of each past day,
 * when would what came in since, with what is scheduled, have covered what it lacks, and a report have come? For a
 * horizon of T days only those starts count that T days follow; P50 and P90 are the first horizons within which a half
 * and nine tenths of them were done. That is the quantile of past inflow over T days, set against what is lacking.
 * Null where the past is too short or never brought that much in. 0 when it can leave at once.
 * @example estimateWait(Array.from({ length: 20 }, () => ({ inflow: 50n, reported: true })), { amount: 120n, instant: 0n, ahead: 0n, idle: 0n, ready: true }) // { p50: 259200000, p90: 259200000 }
 */
export function estimateWait(past: readonly Day[], exit: Exit): Wait | null {
  if (exit.amount <= exit.instant) return { p50: 0, p90: 0 };
  const done = daysUntilDone(past, exit);
  const p50 = firstHorizon(done, 5);
  const p90 = firstHorizon(done, 9);
  return p50 === null || p90 === null ? null : { p50: p50 * DAY_MS, p90: p90 * DAY_MS };
}

/** For a start on each past day the days it would have taken; Infinity where the past ends before. */
function daysUntilDone(past: readonly Day[], { amount, ahead, idle, ready, scheduled = [] }: Exit): number[] {
  const comes = [...scheduled].sort((a, b) => a.day - b.day);
  return past.map((_, start) => {
    let lacking = ahead + amount - idle;
    let reported = ready;
    let next = 0;
    for (let days = 1; start + days <= past.length; days += 1) {
      const day = past[start + days - 1] as Day;
      lacking -= day.inflow;
      reported ||= day.reported;
      for (let one = comes[next]; one && one.day <= days; one = comes[next]) {
        lacking -= one.assets;
        next += 1;
      }
      if (reported && lacking <= 0n) return days;
    }
    return Number.POSITIVE_INFINITY;
  });
}

/** The least number of days within which `tenths` tenths of the starts that so many days follow were done. */
function firstHorizon(done: readonly number[], tenths: number): number | null {
  for (let days = 1; done.length - days + 1 >= minStarts; days += 1) {
    const starts = done.length - days + 1;
    let within = 0;
    for (let start = 0; start < starts; start += 1) if ((done[start] as number) <= days) within += 1;
    if (within * 10 >= starts * tenths) return days;
  }
  return null;
}
