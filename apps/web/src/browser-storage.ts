import { createStore } from "./create-store.ts";

/** True once the browser refused to store data for this site: what is stored then lasts as long as this tab. */
export const storageRefused = createStore(false);

type Area = "localStorage" | "sessionStorage";

class MemoryStorage implements Storage {
  readonly #values = new Map<string, string>();
  get length() {
    return this.#values.size;
  }
  key(index: number) {
    return [...this.#values.keys()][index] ?? null;
  }
  getItem(key: string) {
    return this.#values.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    this.#values.set(key, String(value));
  }
  removeItem(key: string) {
    this.#values.delete(key);
  }
  clear() {
    this.#values.clear();
  }
}

function keysOf(storage: Storage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index)).filter((key) => key !== null);
}

/**
 * Puts a storage in memory in place of the browser's, with what could be read of it. The wallet libraries use the global
 * too, and would fail where storage is forbidden or full.
 */
function replaceByMemory(area: Area): Storage {
  const memory = new MemoryStorage();
  try {
    const refused = window[area];
    for (const key of keysOf(refused)) memory.setItem(key, refused.getItem(key) ?? "");
  } catch {
    // Reading is forbidden as well: nothing was stored.
  }
  Object.defineProperty(window, area, { value: memory, configurable: true });
  storageRefused.set(true);
  return memory;
}

/** Does `work` on the browser's storage, or in memory where the browser refuses. */
function on<Result>(area: Area, work: (storage: Storage) => Result): Result {
  try {
    return work(window[area]);
  } catch {
    return work(replaceByMemory(area));
  }
}

/** Storage of the browser, or of this page where the browser refuses. */
export interface BrowserStorage {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  keys(): string[];
}

function storageOf(area: Area): BrowserStorage {
  // The server renders pages without storage.
  if (typeof window === "undefined") return { get: () => null, set() {}, remove() {}, keys: () => [] };
  // Finds out at once, so that the wallet libraries have a storage that works.
  on(area, (storage) => {
    const probe = "aqua.probe";
    storage.setItem(probe, "");
    storage.removeItem(probe);
  });
  return {
    get: (key) => on(area, (storage) => storage.getItem(key)),
    set: (key, value) => on(area, (storage) => storage.setItem(key, value)),
    remove: (key) => on(area, (storage) => storage.removeItem(key)),
    keys: () => on(area, keysOf),
  };
}

/** Lasts beyond this tab and is shared with the others. */
export const local = storageOf("localStorage");
/** Lasts as long as this tab. */
export const session = storageOf("sessionStorage");
