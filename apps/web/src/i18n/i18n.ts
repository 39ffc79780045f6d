import { type Messages, setupI18n } from "@lingui/core";
import { useSyncExternalStore } from "react";
import type { MessageKey } from "./keys.ts";
import { defaultLanguage, isLanguage, type Language, loadCatalog } from "./languages.ts";
import type { Namespace } from "./namespaces.ts";

const storageKey = "app-language";
const wanted = new Set<Namespace>(["ui", "shell"]);
const loaded = new Set<string>();

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

async function load(target: Language, names: Iterable<Namespace>) {
  const missing = [...names].filter((name) => !loaded.has(`${target}/${name}`));
  await Promise.all(
    missing.map(async (name) => {
      i18n.load(target, (await loadCatalog(target, name)) as Messages);
      loaded.add(`${target}/${name}`);
    }),
  );
}

/**
 * Loads texts that come with a lazy part of the app; resolves at once when they are here. Whatever shows them awaits it
 * beside its own code. Rejects when they cannot be fetched.
 */
export async function loadTexts(...names: Namespace[]): Promise<void> {
  for (const name of names) wanted.add(name);
  await load(i18n.locale ? language() : storedLanguage(), names);
}

/** Loads all texts asked for so far in a language, switches to it and sets <html lang>. */
export async function activateLanguage(next: Language) {
  await load(next, wanted);
  i18n.activate(next);
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
