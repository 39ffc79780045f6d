import type { LanguageCode } from "@aqua/sdk/languages";
import type { Namespace } from "./namespaces.ts";

export type Language = LanguageCode;
type Catalog = Record<string, string | unknown[]>;

/** The languages of the menu in its order, each in its own name. Each has a folder of catalogs here. */
export const languages: Record<Language, string> = {
  "en-US": "English",
  "zh-CN": "简体中文",
  "zh-TW": "繁體中文",
  "ko-KR": "한국어",
  "fr-FR": "Français",
};
export const defaultLanguage: Language = "en-US";

/**
 * The pseudo-language: longer English with accents, in brackets. A text without accents was never translated. It is for
 * development and tests, which choose it by storing it under app-language; production builds do not contain it.
 */
export const pseudoLanguage = "en-XA";
/** The language of texts and formats: a language of the menu or, outside production, the pseudo-language. */
export type Locale = Language | typeof pseudoLanguage;

const english = import.meta.glob<Catalog>("./en-US/*.json", { import: "default" });
/** Each language's list of files is a separate module, so that no visitor downloads the file names of all languages. */
const others = import.meta.glob<{ files: Record<string, () => Promise<Catalog>> }>("./catalogs/*.ts");

export function isLanguage(value: string | null): value is Language {
  return value !== null && Object.hasOwn(languages, value);
}

export function isLocale(value: string | null): value is Locale {
  return isLanguage(value) || (__DEMO__ && value === pseudoLanguage);
}

/** The compiled messages of one namespace. Rejects if they cannot be loaded. */
export async function loadCatalog(locale: Locale, namespace: Namespace): Promise<Catalog> {
  if (__DEMO__ && locale === pseudoLanguage) {
    const [english, { pseudoCatalog }] = await Promise.all([
      loadCatalog(defaultLanguage, namespace),
      import("./pseudo.ts"),
    ]);
    return pseudoCatalog(english);
  }
  const folder = locale === defaultLanguage ? { files: english } : await others[`./catalogs/${locale}.ts`]?.();
  const load = folder?.files[`${locale === defaultLanguage ? "." : ".."}/${locale}/${namespace}.json`];
  if (!load) throw new RangeError(`No catalog ${namespace} for ${locale}`);
  return load();
}
