import { iso31661 } from "iso-3166";

/** ISO 3166-1 alpha-2 codes of all assigned countries, sorted. Names come from `Intl.DisplayNames`. */
export const countryCodes: readonly string[] = iso31661.map(({ alpha2 }) => alpha2).sort();

const numericCodes = new Map(iso31661.map(({ alpha2, numeric }) => [alpha2, Number(numeric)]));

/**
 * The ISO 3166-1 numeric code that identity records on chain use. 0 for an unknown code.
 * @example numericCountry("FR") // 250
 */
export function numericCountry(alpha2: string): number {
  return numericCodes.get(alpha2) ?? 0;
}
