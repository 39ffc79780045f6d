import { type I18n, type Messages, setupI18n } from "@lingui/core";
import { useSyncExternalStore } from "react";
import { local } from "../browser-storage.ts";
import { renderedPage } from "../rendered-page.ts";
import type { MessageKey } from "./keys.ts";
import { defaultLanguage, isLocale, type Locale, loadCatalog } from "./languages.ts";
import { type Namespace, namespaces, ofEveryPage } from "./namespaces.ts";

const storageKey = "app-language";
const wanted = new Set<Namespace>(ofEveryPage);
const loaded = new Set<string>();

const missingText = (language: string, key: string) => `[missing "${language}.${key}" translation]`;
const i18n = setupI18n({ missing: missingText });

/** Complete languages on the server, which renders pages in several languages at once. */
const complete = new Map<Locale, I18n>();

/** Loads all texts of a language, for the server. */
export async function loadLanguage(locale: Locale): Promise<void> {
  if (complete.has(locale)) return;
  const catalogs = await Promise.all(namespaces.map((name) => loadCatalog(locale, name)));
  const messages = { [locale]: Object.assign({}, ...catalogs) as Messages };
  complete.set(locale, setupI18n({ locale, messages, missing: missingText }));
}

function active(): I18n {
  const page = renderedPage();
  return (page && complete.get(page.language)) ?? i18n;
}

/** The text of `key` in the active language, with `values` for its placeholders. */
export function t(key: MessageKey, values?: Record<string, string | number>): string {
  return active()._(key, values);
}

/** The active language; the default until `activateLanguage` has resolved. */
export function language(): Locale {
  const { locale } = active();
  return isLocale(locale) ? locale : defaultLanguage;
}

/** The language that the visitor chose before. Null if none is stored or the stored one is not supported. */
export function storedLanguage(): Locale | null {
  const stored = local.get(storageKey);
  return isLocale(stored) ? stored : null;
}

/** The language of a visit's first page: the one chosen before, or else the one in which the server answered. */
function firstLanguage(): Locale {
  const served = document.documentElement.lang;
  return storedLanguage() ?? (isLocale(served) ? served : defaultLanguage);
}

/** The server reads this cookie and renders the next page in this language. */
function storeCookie(chosen: Locale) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the asynchronous interface is not in every browser
  document.cookie = `${storageKey}=${chosen}; path=/; max-age=31536000; samesite=lax${secure}`;
}

/** Renews the cookie, so that it does not expire before the choice in local storage. */
export function renewLanguageCookie(): void {
  const stored = storedLanguage();
  if (stored !== null) storeCookie(stored);
}

/** The namespaces that are not yet loaded in a language. */
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
 * Loads the texts of a lazy part of the app. Resolves at once if they are loaded. Callers await it together with the
 * part's code. Rejects if the texts cannot be loaded.
 */
export async function loadTexts(...names: Namespace[]): Promise<void> {
  if (renderedPage() !== null) return;
  for (const name of names) wanted.add(name);
  const target = i18n.locale ? language() : firstLanguage();
  await load(target, missing(target, names));
}

let requested: Locale | null = null;

/**
 * Loads all texts requested so far in a language, switches to it and sets <html lang>. If another language was
 * requested meanwhile, it resolves to false without switching, because the latest request takes precedence.
 */
export async function activateLanguage(next: Locale): Promise<boolean> {
  requested = next;
  // While these load, a page may request texts, still in the previous language.
  for (let names = missing(next, wanted); names.length > 0; names = missing(next, wanted)) await load(next, names);
  if (requested !== next) return false;
  i18n.activate(next);
  document.documentElement.lang = next;
  return true;
}

/**
 * Activates the first language of a visit, or English if its texts cannot be loaded. Await it before the first render,
 * so that no text appears in another language first.
 */
export async function restoreLanguage(): Promise<void> {
  const first = firstLanguage();
  renewLanguageCookie();
  try {
    await activateLanguage(first);
  } catch (error) {
    if (first === defaultLanguage) throw error;
    await activateLanguage(defaultLanguage);
  }
}

/** Activates the visitor's choice in the language menu, then stores it. Rejects if its texts cannot be loaded. */
export async function chooseLanguage(next: Locale): Promise<void> {
  if (!(await activateLanguage(next))) return;
  local.set(storageKey, next);
  storeCookie(next);
}

function subscribe(listener: () => void) {
  return i18n.on("change", listener);
}

/**
 * The active language; updates live. Texts are read on render, so the calling component re-renders its subtree when the
 * language changes. The shell calls this at the root.
 */
export function useLanguage(): Locale {
  return useSyncExternalStore(subscribe, language, language);
}
