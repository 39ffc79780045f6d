import { formatCountry } from "../../i18n/format.ts";
import { language } from "../../i18n/i18n.ts";

/** The countries' names in the active language, as a list in its words. */
export function countryNames(codes: readonly string[]): string {
  return new Intl.ListFormat(language()).format(codes.map(formatCountry));
}
