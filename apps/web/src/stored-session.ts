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

/** Stores some of a log-in and tells this tab; other tabs hear of it from the browser. */
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

/** Empties the whole local storage, which is what the specification wants of a dead token. */
export function clearAll() {
  try {
    localStorage.clear();
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
