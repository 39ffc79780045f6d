/** What a log-in stores in the browser, by the specification's names. */
const keys = ["token", "email", "checkAddress"] as const;
type Key = (typeof keys)[number];

const listeners = new Set<() => void>();

function notify() {
  for (const listener of listeners) listener();
}

/** Null where nothing is stored, or where storage is unavailable. */
export function stored(key: Key): string | null {
  try {
    return localStorage.getItem(key) || null;
  } catch {
    return null;
  }
}

/** Stores part of a log-in and notifies this tab; the browser notifies other tabs. */
export function store(values: Partial<Record<Key, string>>) {
  try {
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
  } catch {
    // Without storage the visitor does not stay logged in.
  }
  notify();
}

/** Deletes the log-in and nothing else. */
export function forgetSession() {
  try {
    for (const key of keys) localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
  notify();
}

/**
 * Data outside the session that survives an invalid token: language and theme, the demo wallet's key, which holds its
 * money, sent transactions, which may be pending, and dismissed offers.
 */
const kept = /^(app-language$|app-theme$|aqua[.-])/;

/** Clears local storage except for data outside the session, after a token became invalid. Notifies this tab. */
export function clearAll() {
  try {
    for (const key of Object.keys(localStorage)) if (!kept.test(key)) localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
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
