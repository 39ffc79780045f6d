/** What a log-in leaves in the browser, by the names of the specification. */
const keys = ["token", "email", "checkAddress"] as const;
type Key = (typeof keys)[number];

const listeners = new Set<() => void>();

function notify() {
  for (const listener of listeners) listener();
}

/** Null where nothing is stored, or where the browser stores nothing. */
export function stored(key: Key): string | null {
  try {
    return localStorage.getItem(key) || null;
  } catch {
    return null;
  }
}

/** Stores some of a log-in and notifies this tab; the browser notifies other tabs. */
export function store(values: Partial<Record<Key, string>>) {
  try {
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value);
  } catch {
    // Without storage nobody stays logged in.
  }
  notify();
}

/** Forgets the log-in and nothing else. */
export function forgetSession() {
  try {
    for (const key of keys) localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
  notify();
}

/**
 * What is no session and outlives a dead token: language and theme, the key of the demo wallet, which holds its money,
 * the transactions that were sent, which may be under way, and the offers that were dismissed.
 */
const kept = /^(app-language$|app-theme$|aqua[.-])/;

/** Empties the local storage but for what is no session: what follows from a dead token. Notifies this tab. */
export function clearAll() {
  try {
    for (const key of Object.keys(localStorage)) if (!kept.test(key)) localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
  notify();
}

/** Calls `listener` when a log-in comes or goes, here or in another tab. Returns what ends that. */
export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}
