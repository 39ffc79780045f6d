import type { LanguageCode } from "@aqua/sdk/languages";
import { language, useLanguage } from "../i18n/i18n.ts";
import { defaultLanguage, isLanguage, type Locale } from "../i18n/languages.ts";

/** The language in which product texts are requested: the active one, English for the pseudo-language. */
export function useContentLanguage(): LanguageCode {
  return contentLanguageOf(useLanguage());
}

/** The same outside a component, as of now. */
export function contentLanguage(): LanguageCode {
  return contentLanguageOf(language());
}

function contentLanguageOf(locale: Locale): LanguageCode {
  return isLanguage(locale) ? locale : defaultLanguage;
}
