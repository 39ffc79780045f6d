import type { Namespace } from "./namespaces.ts";

export type Language = "en-US" | "zh-CN" | "zh-TW" | "ko-KR" | "fr-FR";
type Catalog = Record<string, string | unknown[]>;

/** The languages that exist, by their own names. One is added here together with its folder of catalogs. */
export const languages: Partial<Record<Language, string>> = { "en-US": "English" };
export const defaultLanguage: Language = "en-US";

const files = import.meta.glob<Catalog>("./*-*/*.json", { import: "default" });

export function isLanguage(value: string | null): value is Language {
  return value !== null && Object.hasOwn(languages, value);
}

/** The compiled messages of one namespace. Rejects when they cannot be fetched. */
export async function loadCatalog(language: Language, namespace: Namespace): Promise<Catalog> {
  const load = files[`./${language}/${namespace}.json`];
  if (!load) throw new RangeError(`No catalog ${namespace} for ${language}`);
  return load();
}
