import { local } from "./browser-storage.ts";

/** The keys of a log-in in the browser's storage; the names are the specification's. */
const keys = ["token", "email", "checkAddress"] as const;
type Key = (typeof keys)[number];

const listeners = new Set<() => void>();

function notify() {
  for (const listener of listeners) listener();
}

/** The stored value of a key; null if there is none. */
export function stored(key: Key): string | null {
  return local.get(key) || null;
}

/** Stores a part of a log-in and notifies this tab. The browser notifies other tabs. */
export function store(values: Partial<Record<Key, string>>) {
  for (const [key, value] of Object.entries(values)) local.set(key, value);
  notify();
}

/** Deletes only the log-in. */
export function forgetSession() {
  for (const key of keys) local.remove(key);
  notify();
}

/**
 * Data outside the session that survives an invalid token: language and theme, the demo wallet's key and connection
 * (which control its money), and sent transactions, which may be pending.
 */
const lastingKeys = /^(app-language$|app-theme$|aqua-demo-|aqua\.transactions\.)/;

/** Clears local storage except for data outside the session, after a token became invalid. Notifies this tab. */
export function clearAll() {
  for (const key of local.keys()) if (!lastingKeys.test(key)) local.remove(key);
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
