/** Number of months to choose from. Earlier ones can be requested from the API. */
const MONTHS = 24;

/** The months up to that of `now` (Unix milliseconds) in UTC, newest first, as "2026-11". */
export function monthsUntil(now: number): string[] {
  const today = new Date(now);
  return Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - index, 1)).toISOString().slice(0, 7),
  );
}
