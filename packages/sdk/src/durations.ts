/** Durations in seconds, the unit of block times. A year has 365 days. */
export const HOUR = 3_600;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;

/** Durations in milliseconds, the unit of clocks and of the API. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 1_000 * HOUR;
export const DAY_MS = 1_000 * DAY;
export const YEAR_MS = 1_000 * YEAR;
