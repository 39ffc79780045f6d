import { setImmediate as turn } from "node:timers/promises";

interface Waiting<Key, Value> {
  key: Key;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/**
 * Answers what many ask about at the same time by few reads. A read begins after everyone it is for has asked; at most
 * `atOnce` are under way, each for `most` keys, and what comes meanwhile waits for the next. A read that fails fails for
 * everyone it is for. `read` answers the values in the order of the keys.
 */
export function batched<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { atOnce, most }: { atOnce: number; most: number },
): (key: Key) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = [];
  let underWay = 0;

  async function run(): Promise<void> {
    // All whose requests arrive in this turn of the event loop come along.
    await turn();
    while (waiting.length > 0) {
      const some = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const values = await read(some.map(({ key }) => key));
        for (const [index, { resolve }] of some.entries()) resolve(values[index] as Value);
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    underWay -= 1;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (underWay === atOnce) return;
      underWay += 1;
      void run();
    });
}
