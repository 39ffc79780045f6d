/** Counts uses a key within a sliding window, in memory: what it bounds is play money of a local chain. */
export function createLimiter(most: number, windowMs: number, now: () => number = Date.now) {
  const uses = new Map<string, number[]>();

  function recent(key: string): number[] {
    const since = now() - windowMs;
    return (uses.get(key) ?? []).filter((time) => time > since);
  }

  return {
    /** Milliseconds until the key may be used again; 0 when it may now. */
    waitOf(key: string): number {
      const times = recent(key);
      const oldest = times[times.length - most];
      return oldest === undefined ? 0 : oldest + windowMs - now();
    },
    use(key: string): void {
      uses.set(key, [...recent(key), now()]);
      for (const other of uses.keys()) if (recent(other).length === 0) uses.delete(other);
    },
  };
}
export type Limiter = ReturnType<typeof createLimiter>;
