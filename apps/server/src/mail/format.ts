import type { LanguageCode } from "@aqua/sdk/languages";
import type { TimeUnit } from "@aqua/sdk/maths/term";
import { formatUnits } from "@aqua/sdk/maths/units";

/**
 * Formats figures and dates of a mail in its language. Times are in UTC, because a mail does not know the reader's time
 * zone.
 */
export interface MailFormat {
  /**
   * Whole units with their unit, truncated and never rounded up: "1,250.50 USDC". Amounts below one have six digits. In
   * French a no-break space is before the unit.
   */
  amount(units: bigint, asset: { symbol: string; decimals: number }): string;
  /** A fraction with 18 decimals as a percentage: "12%". */
  percent(fraction: bigint): string;
  count(value: number): string;
  /** The length of a term: "6 months". */
  term(count: number, unit: TimeUnit): string;
  /** "March 8, 2027 UTC". All times are Unix milliseconds. The site shows the reader's day instead. */
  date(time: number): string;
  dateTime(time: number): string;
  /** "March 2027". */
  month(time: number): string;
}

const WAD_DECIMALS = 18;

export function mailFormat(language: LanguageCode): MailFormat {
  const number = (value: string | number, options: Intl.NumberFormatOptions) =>
    // Intl formats decimal strings exactly; the cast only narrows "any string" to the required literal type.
    new Intl.NumberFormat(language, options).format(value as Intl.StringNumericLiteral).replace("-", "−");
  const date = (time: number, options: Intl.DateTimeFormatOptions) => {
    const text = new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options }).format(time);
    // French writes the first day of a month as an ordinal, which Intl does not do.
    return language === "fr-FR" ? text.replace(/^1 /, "1er ") : text;
  };
  return {
    amount(units, { symbol, decimals }) {
      const size = units < 0n ? -units : units;
      const digits = size !== 0n && size < 10n ** BigInt(decimals) ? 6 : 2;
      const options = { minimumFractionDigits: 2, maximumFractionDigits: digits, roundingMode: "trunc" } as const;
      return `${number(formatUnits(units, decimals), options)}${language === "fr-FR" ? "\u00a0" : " "}${symbol}`;
    },
    percent: (fraction) =>
      // Intl writes a wider space before the percent sign in French than our texts do.
      number(formatUnits(fraction, WAD_DECIMALS), { style: "percent", maximumFractionDigits: 2 }).replace(
        "\u00a0%",
        "\u202f%",
      ),
    term: (count, unit) => number(count, { style: "unit", unit, unitDisplay: "long" }),
    count: (value) => number(value, { maximumFractionDigits: 0 }),
    date: (time) => `${date(time, { dateStyle: "long" })} UTC`,
    dateTime: (time) => `${date(time, { dateStyle: "long", timeStyle: "short" })} UTC`,
    month: (time) => date(time, { year: "numeric", month: "long" }),
  };
}
