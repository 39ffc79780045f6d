const waiting = new Map<number, Set<() => void>>();

/** A block of this chain has come. Whoever knows of one says so here. */
export function blockCame(chainId: number): void {
  const all = waiting.get(chainId);
  waiting.delete(chainId);
  for (const wake of all ?? []) wake();
}

/** Resolves with the next block of a chain, or after `milliseconds` where none comes. */
export function nextBlock(chainId: number, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const all = waiting.get(chainId) ?? new Set();
    waiting.set(chainId, all);
    const wake = () => {
      clearTimeout(timer);
      all.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    all.add(wake);
  });
}
