import { language } from "../../i18n/i18n.ts";
import { isLanguage } from "../../i18n/languages.ts";

/** The language of mails: the displayed language if mails exist in it. */
export function mailLanguage() {
  const displayed = language();
  return isLanguage(displayed) ? { language: displayed } : {};
}
