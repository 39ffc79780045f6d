import type { LanguageCode } from "@aqua/sdk/languages";
import type { Namespace } from "./namespaces.ts";

export type Language = LanguageCode;
type Catalog = Record<string, string | unknown[]>;

/** The languages that exist, by their own names, in the order of the menu. Each has a folder of catalogs here. */
export const languages: Record<Language, string> = {
  "en-US": "English",
  "zh-CN": "简体中文",
  "zh-TW": "繁體中文",
  "ko-KR": "한국어",
  "fr-FR": "Français",
};
export const defaultLanguage: Language = "en-US";

/**
 * English with accents, longer, in brackets: text on a page without them was never translated. For development
 * and tests, chosen by storing it under app-language; production builds neither know nor carry it.
 */
export const pseudoLanguage = "en-XA";
/** What texts and formats are shown in: a language of the menu, or outside production the pseudo-language. */
export type Locale = Language | typeof pseudoLanguage;

const english = import.meta.glob<Catalog>("./en-US/*.json", { import: "default" });
/** Where a language's files lie is known to a module of its own, so that none pays for the names of all. */
const others = import.meta.glob<{ files: Record<string, () => Promise<Catalog>> }>("./catalogs/*.ts");

export function isLanguage(value: string | null): value is Language {
  return value !== null && Object.hasOwn(languages, value);
}

export function isLocale(value: string | null): value is Locale {
  return isLanguage(value) || (__DEMO__ && value === pseudoLanguage);
}

/** The compiled messages of one namespace. Rejects when they cannot be fetched. */
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
