import { createStore } from "./create-store.ts";

/** True after the browser refused to store data for this site. Data stored then lasts only as long as this tab. */
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
 * Replaces the browser's storage by one in memory, with the data that could be read. The wallet libraries use the
 * global storage too and would fail if it is forbidden or full.
 */
function replaceByMemory(area: Area): Storage {
  const memory = new MemoryStorage();
  try {
    const refused = window[area];
    for (const key of keysOf(refused)) memory.setItem(key, refused.getItem(key) ?? "");
  } catch {
    // Reading is forbidden too, so nothing was stored.
  }
  Object.defineProperty(window, area, { value: memory, configurable: true });
  storageRefused.set(true);
  return memory;
}

/** Runs `work` on the browser's storage, or on storage in memory if the browser refuses. */
function on<Result>(area: Area, work: (storage: Storage) => Result): Result {
  try {
    return work(window[area]);
  } catch {
    return work(replaceByMemory(area));
  }
}

/** Storage of the browser, or storage in memory if the browser refuses. */
export interface BrowserStorage {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  keys(): string[];
}

function storageOf(area: Area): BrowserStorage {
  // The server renders pages without storage.
  if (typeof window === "undefined") return { get: () => null, set() {}, remove() {}, keys: () => [] };
  // Tests the storage at once, so that the wallet libraries get one that works.
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

/** Storage that outlasts this tab and that all tabs share. */
export const local = storageOf("localStorage");
/** Storage that lasts as long as this tab. */
export const session = storageOf("sessionStorage");
