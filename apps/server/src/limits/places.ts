export interface PlaceLimits {
  /** Places of one caller: a network of `networksOf`, or a route. */
  perNetwork: number;
  /** Places of one site of IPv6 (a /48): more than one network has, so that an office keeps its places, less than all. */
  perSite?: number;
  /** Places of all. */
  total?: number;
}

/** Gives the places back; calling it again changes nothing. */
export type Release = () => void;

export interface Places {
  /** Takes places for a caller (`networksOf(ip)`, narrowest first), or none and answers null where a bound is reached. */
  take(keys: readonly string[], size?: number): Release | null;
  /** Takes them whatever the bounds say. */
  force(keys: readonly string[], size?: number): Release;
  /** Places taken under a key, and by all. */
  of(key: string): number;
  readonly total: number;
}

/** Counts what callers hold at once, by network, by site and in all. */
export function createPlaces({ perNetwork, perSite = Infinity, total: most = Infinity }: PlaceLimits): Places {
  const taken = new Map<string, number>();
  const bounds = [perNetwork, perSite];
  let total = 0;

  const of = (key: string) => taken.get(key) ?? 0;
  function add(keys: readonly string[], size: number): void {
    total += size;
    for (const key of keys) {
      const now = of(key) + size;
      if (now > 0) taken.set(key, now);
      else taken.delete(key);
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
