export interface RecentlyUsed<Value> {
  get(key: string): Value | undefined;
  /** Keeps a value of `bytes`; what was used least recently goes until all fit. */
  set(key: string, value: Value, bytes: number): void;
  /** A kept value has become larger by `bytes`; one that is not kept any more counts nothing. */
  grow(key: string, value: Value, bytes: number): void;
}

/** Values by key, of `maxBytes` together at most. */
export function createRecentlyUsed<Value>(maxBytes: number): RecentlyUsed<Value> {
  // In the order of their last use.
  const entries = new Map<string, { value: Value; bytes: number }>();
  let total = 0;

  function remove(key: string): void {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }
  function put(key: string, value: Value, bytes: number): void {
    remove(key);
    entries.set(key, { value, bytes });
    total += bytes;
    for (const oldest of entries.keys()) {
      if (total <= maxBytes) return;
      remove(oldest);
    }
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set: put,
    grow(key, value, bytes) {
      const entry = entries.get(key);
      if (entry?.value === value) put(key, value, entry.bytes + bytes);
    },
  };
}
