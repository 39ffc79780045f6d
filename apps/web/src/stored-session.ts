import { local } from "./browser-storage.ts";

/** What a log-in stores in the browser, by the specification's names. */
const keys = ["token", "email", "checkAddress"] as const;
type Key = (typeof keys)[number];

const listeners = new Set<() => void>();

function notify() {
  for (const listener of listeners) listener();
}

/** Null where nothing is stored. */
export function stored(key: Key): string | null {
  return local.get(key) || null;
}

/** Stores part of a log-in and notifies this tab; the browser notifies other tabs. */
export function store(values: Partial<Record<Key, string>>) {
  for (const [key, value] of Object.entries(values)) local.set(key, value);
  notify();
}

/** Deletes the log-in and nothing else. */
export function forgetSession() {
  for (const key of keys) local.remove(key);
  notify();
}

/**
 * Data outside the session that survives an invalid token: language and theme, the demo wallet's key and connection,
 * which hold its money, and sent transactions, which may be pending.
 */
const kept = /^(app-language$|app-theme$|aqua-demo-|aqua\.transactions\.)/;

/** Clears local storage except for data outside the session, after a token became invalid. Notifies this tab. */
export function clearAll() {
  for (const key of local.keys()) if (!kept.test(key)) local.remove(key);
  notify();
}

/** Calls `listener` after a log-in or log-out, here or in another tab. Returns a function that unsubscribes. */
export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}
