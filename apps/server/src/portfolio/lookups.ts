/** What the node may be asked about transactions that anyone can announce. */
export interface Lookups {
  /** Whether one more may be asked about now; it counts when it may. */
  take(): boolean;
}

/** At most `burst` at once and `perSecond` after that, in this process and over all chains together. */
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
