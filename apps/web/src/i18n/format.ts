import { DAY_MS, HOUR_MS, MINUTE_MS } from "@aqua/sdk/durations";
import type { Rounding } from "@aqua/sdk/maths/rounding";
import { currentTime, shownTimeZone } from "./clock.ts";
import { language } from "./i18n.ts";

/** A decimal string, the API's format of amounts and rates: "1250.500000". */
export type Decimal = string;

const unknown = "—";
const cache = new Map<string, unknown>();

/** Intl objects are slow to construct and pages have hundreds of figures. One is cached per language and options. */
function cached<Formatter>(kind: string, options: object, build: (language: string) => Formatter): Formatter {
  const key = `${kind}|${language()}|${JSON.stringify(options)}`;
  const existing = cache.get(key);
  if (existing !== undefined) return existing as Formatter;
  const built = build(language());
  cache.set(key, built);
  return built;
}

function number(value: Decimal | number | bigint, options: Intl.NumberFormatOptions) {
  const formatter = cached("number", options, (tag) => new Intl.NumberFormat(tag, options));
  // Intl formats decimal strings exactly; the cast only narrows "any string" to the required literal type. In our
  // languages Intl writes a hyphen for the minus sign. Its French separator of thousands, U+202F, is too narrow to be seen
  // in our fonts.
  return formatter
    .format(value as Intl.StringNumericLiteral)
    .replace("-", "−")
    .replace(/\u202f(?=\d)/g, "\u00a0");
}

/** A loss that is too small for the displayed digits is shown as 0, not as −0. */
function signOf(signed: boolean | undefined): "exceptZero" | "negative" {
  return signed ? "exceptZero" : "negative";
}

/**
 * Intl rounds a decimal string exactly, like `roundDecimal` of the shared maths. That function would add code to each
 * page.
 */
const intlRounding = { "half-even": "halfEven", down: "trunc", up: "expand" } as const;

export interface AmountOptions {
  /** Maximum fraction digits. Default 2. */
  digits?: number;
  /**
   * Use `down` for amounts that are owed or can be withdrawn, and `up` for costs. Default: `half-even`, for values and
   * estimates.
   */
  rounding?: Rounding;
  /** Minimum fraction digits. Default: `digits`. */
  minDigits?: number;
  /** Shows a plus sign on gains. */
  signed?: boolean;
  /** Writes 1.2M instead of 1,200,000, for narrow spaces. */
  compact?: boolean;
}

/** An amount in whole units without its unit; "—" for null. */
export function formatAmount(value: Decimal | null | undefined, options: AmountOptions = {}): string {
  if (value === null || value === undefined) return unknown;
  const { digits = 2, rounding = "half-even", compact = false } = options;
  return number(value, {
    maximumFractionDigits: digits,
    // An asset may have fewer decimals than the usual minimum of displayed digits.
    minimumFractionDigits: compact ? 0 : Math.min(options.minDigits ?? digits, digits),
    roundingMode: intlRounding[rounding],
    signDisplay: signOf(options.signed),
    ...(compact ? { notation: "compact" as const } : {}),
  });
}

/** A rate given as a fraction: "0.0525" is 5.25%. */
export function formatRate(
  value: Decimal | null | undefined,
  options: { digits?: number; signed?: boolean } = {},
): string {
  if (value === null || value === undefined) return unknown;
  return number(value, {
    style: "percent",
    minimumFractionDigits: options.digits ?? 2,
    maximumFractionDigits: options.digits ?? 2,
    roundingMode: intlRounding["half-even"],
    signDisplay: signOf(options.signed),
  });
}

/** A count: holders, blocks. */
export function formatCount(value: number | bigint | null | undefined): string {
  return value === null || value === undefined ? unknown : number(value, { maximumFractionDigits: 0 });
}

/** Formats in the displayed time zone, unless `options` name one. */
function dateTime(time: number, options: Intl.DateTimeFormatOptions) {
  const timeZone = options.timeZone ?? shownTimeZone();
  const zoned = timeZone === undefined ? options : { ...options, timeZone };
  return cached("date", zoned, (tag) => new Intl.DateTimeFormat(tag, zoned)).format(time);
}

/** "20 Nov 2026" in the reader's format. `time` in Unix milliseconds. */
export function formatDate(time: number | null | undefined): string {
  return time === null || time === undefined ? unknown : dateTime(time, { dateStyle: "medium" });
}

/** A date within a year in about a dozen characters: "Mar 8". The year is added if it would be ambiguous. */
export function formatNearDate(time: number, now: number): string {
  const isClear = Math.abs(time - now) < 300 * DAY_MS;
  return dateTime(time, { month: "short", day: "numeric", ...(isClear ? {} : { year: "numeric" }) });
}

/** A calendar day such as "2026-11-20", or the UTC day of a time. It is the same day for every reader. */
export function formatDay(day: string | number): string {
  return dateTime(new Date(day).getTime(), { dateStyle: "medium", timeZone: "UTC" });
}

/** The UTC month of a time, "November 2026". It is the same month for every reader. */
export function formatMonth(time: number): string {
  return dateTime(time, { month: "long", year: "numeric", timeZone: "UTC" });
}

/** The format of a time, alone or as one end of a range. */
export const dateAndTime: Intl.DateTimeFormatOptions = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
};

/** Date and time with the zone: the reader's zone unless `timeZone` is UTC. `time` in Unix milliseconds. */
export function formatDateTime(time: number | null | undefined, timeZone?: "UTC"): string {
  if (time === null || time === undefined) return unknown;
  return dateTime(time, timeZone ? { ...dateAndTime, timeZone } : dateAndTime);
}

const steps: [unit: "day" | "hour" | "minute" | "second", milliseconds: number][] = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
  ["second", 1000],
];

function largestUnit(milliseconds: number) {
  const size = Math.abs(milliseconds);
  const [unit, length] = steps.find(([, step]) => size >= step) ?? (["second", 1000] as const);
  return { unit, count: Math.trunc(milliseconds / length) };
}

/** "3 minutes ago", "in 2 days"; both times in Unix milliseconds. */
export function formatRelative(time: number | null | undefined, now: number = currentTime()): string {
  if (time === null || time === undefined) return unknown;
  const { unit, count } = largestUnit(time - now);
  const options = { numeric: "auto", style: "short" } as const;
  return cached("relative", options, (tag) => new Intl.RelativeTimeFormat(tag, options)).format(count, unit);
}

/** A duration in its largest unit: "6 hr", "3 days". */
export function formatDuration(milliseconds: number | null | undefined): string {
  if (milliseconds === null || milliseconds === undefined) return unknown;
  const { unit, count } = largestUnit(milliseconds);
  return number(count, { style: "unit", unit, unitDisplay: unit === "day" ? "long" : "short" });
}

/** The length of an offered term: "3 months", "90 days". */
export function formatTerm({ value, unit }: { value: number; unit: "day" | "week" | "month" | "year" }): string {
  return number(value, { style: "unit", unit, unitDisplay: "long" });
}

/** A size in its largest unit: "8 MB" is 8 × 1024 × 1024 bytes. */
export function formatBytes(bytes: number): string {
  const mega = bytes >= 1024 * 1024;
  const unit = mega ? "megabyte" : "kilobyte";
  const size = bytes / (mega ? 1024 * 1024 : 1024);
  return number(size, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: size < 10 ? 1 : 0 });
}

/** The name of a country in the active language. The code itself if the browser has no name for it. */
export function formatCountry(code: string): string {
  const options = { type: "region" } as const;
  return cached("country", options, (tag) => new Intl.DisplayNames(tag, options)).of(code) ?? code;
}

/** The first and last characters of an address or hash around an ellipsis. The defaults are those of the header. */
export function shortenAddress(address: string, first = 5, last = 4): string {
  return address.length <= first + 1 + last ? address : `${address.slice(0, first)}…${address.slice(-last)}`;
}
