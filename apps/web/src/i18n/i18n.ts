import { type Messages, setupI18n } from "@lingui/core";
import { useSyncExternalStore } from "react";
import type { MessageKey } from "./keys.ts";
import { defaultLanguage, isLocale, type Locale, loadCatalog } from "./languages.ts";
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
export function language(): Locale {
  return isLocale(i18n.locale) ? i18n.locale : defaultLanguage;
}

/** Language of the last visit; the default when none is stored or the stored one does not exist. */
export function storedLanguage(): Locale {
  try {
    const stored = localStorage.getItem(storageKey);
    return isLocale(stored) ? stored : defaultLanguage;
  } catch {
    return defaultLanguage;
  }
}

/** Which of the texts are not here yet in a language. */
function missing(target: Locale, names: Iterable<Namespace>): Namespace[] {
  return [...names].filter((name) => !loaded.has(`${target}/${name}`));
}

async function load(target: Locale, names: Namespace[]) {
  await Promise.all(
    names.map(async (name) => {
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
  const target = i18n.locale ? language() : storedLanguage();
  await load(target, missing(target, names));
}

let asked: Locale | null = null;

/**
 * Loads all texts asked for so far in a language, switches to it and sets <html lang>. Resolves with false, having
 * changed nothing, when another language was asked for meanwhile: the latest choice holds.
 */
export async function activateLanguage(next: Locale): Promise<boolean> {
  asked = next;
  // A page may ask for its texts while these are on their way, still in the former language.
  for (let names = missing(next, wanted); names.length > 0; names = missing(next, wanted)) await load(next, names);
  if (asked !== next) return false;
  i18n.activate(next);
  document.documentElement.lang = next;
  return true;
}

/**
 * The first language of a visit: the stored one, or English when its texts cannot be fetched. Resolves before anything
 * is shown, so no text appears in another language first.
 */
export async function restoreLanguage(): Promise<void> {
  const stored = storedLanguage();
  try {
    await activateLanguage(stored);
  } catch (error) {
    if (stored === defaultLanguage) throw error;
    await activateLanguage(defaultLanguage);
  }
}

/** The visitor's choice in the language menu: activated, then remembered. Rejects when its texts cannot be fetched. */
export async function chooseLanguage(next: Locale): Promise<void> {
  if (!(await activateLanguage(next))) return;
  try {
    localStorage.setItem(storageKey, next);
  } catch {
    // Storage may be forbidden: the choice then lasts until the page is left.
  }
}

function subscribe(listener: () => void) {
  return i18n.on("change", listener);
}

/**
 * The active language, live. Texts are read while rendering, so whatever calls this renders its part of the tree anew
 * when the language changes; the shell does so at the root.
 */
export function useLanguage(): Locale {
  return useSyncExternalStore(subscribe, language);
}
