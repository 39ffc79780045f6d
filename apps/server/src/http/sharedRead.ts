import { setImmediate as turn } from "node:timers/promises";

/**
 * Lets callers share reads. A read never begins before all of its callers have arrived. A caller that arrives
 * during a read waits for the next one. A failed read fails for all callers that share it.
 */
export function shareRead<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> | null = null;
  let next: Promise<T> | null = null;

  async function begin(): Promise<T> {
    // A failure of the previous read is reported only to its own callers.
    await underWay?.catch(() => {});
    // Waits one turn of the event loop, so that every request of this turn shares the read.
    await turn();
    next = null;
    const current = read();
    underWay = current;
    return current;
  }
  return () => {
    next ??= begin();
    return next;
  };
}
