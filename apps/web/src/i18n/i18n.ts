import { type Messages, setupI18n } from "@lingui/core";
import { useSyncExternalStore } from "react";
import type { MessageKey } from "./keys.ts";
import { defaultLanguage, isLanguage, type Language, languages } from "./languages.ts";

const storageKey = "app-language";

const i18n = setupI18n({ missing: (language, key) => `[missing "${language}.${key}" translation]` });

/** The text of `key` in the active language, with the values of its placeholders. */
export function t(key: MessageKey, values?: Record<string, string | number>): string {
  return i18n._(key, values);
}

/** The active language. Before `activateLanguage` has resolved this is the default. */
export function language(): Language {
  return isLanguage(i18n.locale) ? i18n.locale : defaultLanguage;
}

/** Language of the last visit; the default when none is stored or the stored one does not exist. */
export function storedLanguage(): Language {
  try {
    const stored = localStorage.getItem(storageKey);
    return isLanguage(stored) ? stored : defaultLanguage;
  } catch {
    return defaultLanguage;
  }
}

/** Loads the catalog, switches to it and sets <html lang>. Rejects when the catalog cannot be fetched. */
export async function activateLanguage(next: Language) {
  const entry = languages[next];
  if (!entry) throw new RangeError(`No catalog for ${next}`);
  i18n.loadAndActivate({ locale: next, messages: (await entry.load()) as Messages });
  document.documentElement.lang = next;
}

/** The visitor's choice in the language menu: activated, then remembered. */
export async function chooseLanguage(next: Language) {
  await activateLanguage(next);
  try {
    localStorage.setItem(storageKey, next);
  } catch {
    // Storage may be forbidden: the choice then lasts until the page is left.
  }
}

function subscribe(listener: () => void) {
  return i18n.on("change", listener);
}

/** Re-renders on a change of language; the shell keys its tree with it. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, language);
}
