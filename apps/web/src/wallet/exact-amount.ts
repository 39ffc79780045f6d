import { formatAmount } from "../i18n/format.ts";

/** A decimal string with all its digits: "1,000", "1,000.50", "0.000001". For amounts that were really transferred. */
export function exactAmount(value: string, decimals: number): string {
  const fraction = /\.\d*[1-9]/.test(value);
  return formatAmount(value, { digits: decimals, minDigits: fraction ? Math.min(2, decimals) : 0 });
}
