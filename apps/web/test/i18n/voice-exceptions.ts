import type { Language } from "../../src/i18n/languages.ts";

/** Keys whose texts may break a rule of the voice, because the specification words them so. */
export const exceptions: Record<Language, readonly string[]> = {
  "en-US": [],
  "zh-CN": [],
  "zh-TW": [],
  "ko-KR": [],
  "fr-FR": [],
};

/** Keys whose English is a term of the glossary in another meaning, as `language key`. */
export const glossaryExceptions: readonly string[] = [];
