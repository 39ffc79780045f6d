/** Limits how often the server asks the node about transactions, because anyone can announce one. */
export interface Lookups {
  /** Returns true if one more lookup is allowed now, and then counts it. */
  take(): boolean;
}

/**
 * Allows `burst` lookups at once and `perSecond` after that. The limit covers all chains of this process together.
 */
export function createLookups(
  { perSecond, burst }: { perSecond: number; burst: number } = { perSecond: 5, burst: 10 },
  now: () => number = Date.now,
): Lookups {
  let left = burst;
  let counted = now();
  return {
    take() {
      const time = now();
      left = Math.min(burst, left + (Math.max(0, time - counted) / 1_000) * perSecond);
      counted = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
