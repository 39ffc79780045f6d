import type { LanguageCode } from "@aqua/sdk/languages";
import { language, useLanguage } from "../i18n/i18n.ts";
import { defaultLanguage, isLanguage, type Locale } from "../i18n/languages.ts";

/** The language in which product texts are requested: the active language, or English for the pseudo-language. */
export function useContentLanguage(): LanguageCode {
  return contentLanguageOf(useLanguage());
}

/** The current content language, for use outside a component. */
export function contentLanguage(): LanguageCode {
  return contentLanguageOf(language());
}

function contentLanguageOf(locale: Locale): LanguageCode {
  return isLanguage(locale) ? locale : defaultLanguage;
}
