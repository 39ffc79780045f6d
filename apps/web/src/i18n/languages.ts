export type Language = "en-US" | "zh-CN" | "zh-TW" | "ko-KR" | "fr-FR";

type Catalog = Record<string, unknown>;

/** The languages that exist, each with its own name and its lazy catalog. A language is added here and nowhere else. */
export const languages: Partial<Record<Language, { name: string; load: () => Promise<Catalog> }>> = {
  "en-US": { name: "English", load: () => import("./en-US.ts").then((module) => module.catalog) },
};

export const defaultLanguage: Language = "en-US";

export function isLanguage(value: string | null): value is Language {
  return value !== null && Object.hasOwn(languages, value);
}
