export interface PlaceLimits {
  /** Places for one caller: a network of `networksOf`, or a route. */
  perNetwork: number;
  /**
   * Places for one IPv6 site (a /48). More than for one network, so that an office is not limited too much, and fewer
   * than for all.
   */
  perSite?: number;
  /** Places for all callers together. */
  total?: number;
}

/** Returns the places. Calling it again has no effect. */
export type Release = () => void;

export interface Places {
  /**
   * Takes places for a caller (`networksOf(ip)`, narrowest first). Returns null and takes none if a limit is reached.
   */
  take(keys: readonly string[], size?: number): Release | null;
  /** Takes places regardless of the limits. */
  force(keys: readonly string[], size?: number): Release;
  /** Places taken under a key, and in total. */
  of(key: string): number;
  readonly total: number;
}

/** Counts the places that callers hold at the same time: by network, by site and in total. */
export function createPlaces({ perNetwork, perSite = Infinity, total: most = Infinity }: PlaceLimits): Places {
  const counts = new Map<string, number>();
  const bounds = [perNetwork, perSite];
  let total = 0;

  const of = (key: string) => counts.get(key) ?? 0;
  function add(keys: readonly string[], size: number): void {
    total += size;
    for (const key of keys) {
      const now = of(key) + size;
      if (now > 0) counts.set(key, now);
      else counts.delete(key);
    }
  }
  function force(keys: readonly string[], size = 1): Release {
    add(keys, size);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      add(keys, -size);
    };
  }
  return {
    take(keys, size = 1) {
      if (total + size > most || keys.some((key, n) => of(key) + size > (bounds[n] ?? Infinity))) return null;
      return force(keys, size);
    },
    force,
    of,
    get total() {
      return total;
    },
  };
}
