import { setImmediate as turn } from "node:timers/promises";

/**
 * Lets callers share a read none of which began before its caller came: who comes while one is under way waits for the
 * next one. A read that fails fails for those who share it.
 */
export function shareRead<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> | null = null;
  let next: Promise<T> | null = null;

  async function begin(): Promise<T> {
    // A failure of the read before goes to its own callers.
    await underWay?.catch(() => {});
    // All whose requests arrived in the same turn of the event loop come along.
    await turn();
    next = null;
    const mine = read();
    underWay = mine;
    return mine;
  }
  return () => {
    next ??= begin();
    return next;
  };
}
