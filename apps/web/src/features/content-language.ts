import type { LanguageCode } from "@aqua/sdk/languages";
import { useLanguage } from "../i18n/i18n.ts";
import { defaultLanguage, isLanguage } from "../i18n/languages.ts";

/** The language in which product texts are requested: the active one, English for the pseudo-language. */
export function useContentLanguage(): LanguageCode {
  const language = useLanguage();
  return isLanguage(language) ? language : defaultLanguage;
}
