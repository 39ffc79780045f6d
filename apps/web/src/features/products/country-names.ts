import { formatCountry } from "../../i18n/format.ts";
import { language } from "../../i18n/i18n.ts";

/** The names of the countries in the active language, as a list formatted for that language. */
export function countryNames(codes: readonly string[]): string {
  return new Intl.ListFormat(language()).format(codes.map(formatCountry));
}
