import { DAY_MS } from "@aqua/sdk/durations";
/** A statement's period in whole UTC days. Days have the format of date inputs: "2026-11-20". */
export interface Period {
  from: string;
  /** The last day, inclusive. */
  to: string;
}

export const periodNames = ["thisMonth", "lastMonth", "thisYear", "lastYear", "custom"] as const;
export type PeriodName = (typeof periodNames)[number];

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The days of a named period at `now` (Unix milliseconds); a period that has not ended ends today. */
export function periodOf(name: Exclude<PeriodName, "custom">, now: number): Period {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  switch (name) {
    case "thisMonth":
      return { from: dayOf(Date.UTC(year, month, 1)), to: dayOf(now) };
    case "lastMonth":
      return { from: dayOf(Date.UTC(year, month - 1, 1)), to: dayOf(Date.UTC(year, month, 0)) };
    case "thisYear":
      return { from: dayOf(Date.UTC(year, 0, 1)), to: dayOf(now) };
    case "lastYear":
      return { from: dayOf(Date.UTC(year - 1, 0, 1)), to: dayOf(Date.UTC(year - 1, 11, 31)) };
  }
}

/**
 * The period in Unix milliseconds with an exclusive end, as the API expects. Null if a day is missing or invalid, if
 * the days are in the wrong order, or if the whole period is after `now`.
 */
export function spanOf({ from, to }: Period, now: number): { from: number; to: number } | null {
  if (!dayPattern.test(from) || !dayPattern.test(to)) return null;
  const [start, last] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  // Some browsers parse 30 February as 2 March.
  if (Number.isNaN(start) || Number.isNaN(last) || dayOf(start) !== from || dayOf(last) !== to) return null;
  return start <= last && start <= now ? { from: start, to: last + DAY_MS } : null;
}

/** The period named in the address, or this month if the address names none. */
export function readPeriod(search: URLSearchParams, now: number): { name: PeriodName; period: Period } {
  const name = periodNames.find((candidate) => candidate === search.get("period")) ?? "thisMonth";
  if (name !== "custom") return { name, period: periodOf(name, now) };
  return { name, period: { from: search.get("from") ?? "", to: search.get("to") ?? "" } };
}
