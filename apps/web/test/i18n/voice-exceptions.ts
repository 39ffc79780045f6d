import type { Language } from "../../src/i18n/languages.ts";

/** Keys whose texts may break a rule of the voice, because the specification or the wallet kit words them so. */
export const exceptions: Record<Language, readonly string[]> = {
  "en-US": [],
  "zh-CN": [],
  "zh-TW": [],
  "ko-KR": [],
  // The kit's own French, without a space before its exclamation mark.
  "fr-FR": ["dialog.oops"],
};

/** Keys whose English is a term of the glossary in another meaning, as `language key`. */
export const glossaryExceptions: readonly string[] = [];

/** Keys of buttons and labels that are longer than the rest, as `language key`. */
export const lengthExceptions: Record<"button" | "label", readonly string[]> = {
  button: [],
  label: [
    // This name of a table of formulas is only read aloud.
    "en-US positions.identity.flows",
    "fr-FR positions.identity.flows",
    // The label has to say that the contract cannot check this amount.
    "en-US product.books.deployed",
    "fr-FR product.books.deployed",
  ],
};
