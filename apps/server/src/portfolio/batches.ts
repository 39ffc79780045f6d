import { setImmediate as turn } from "node:timers/promises";

interface Waiting<Key, Value> {
  key: Key;
  resolve(value: Value): void;
  reject(error: unknown): void;
}

/**
 * Groups the requests of many callers into few reads. A read begins only after all of its callers have asked. At most
 * `atOnce` reads run at the same time, each for at most `most` keys. Later requests wait for the next read. A failed
 * read fails for all of its callers. `read` returns the values in the order of the keys.
 */
export function batched<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { atOnce, most }: { atOnce: number; most: number },
): (key: Key) => Promise<Value> {
  let requests: Waiting<Key, Value>[] = [];
  let underWay = 0;

  async function run(): Promise<void> {
    // Waits one turn of the event loop so that every request of this turn joins the batch.
    await turn();
    while (requests.length > 0) {
      const some = requests.slice(0, most);
      requests = requests.slice(most);
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
      requests.push({ key, resolve, reject });
      if (underWay === atOnce) return;
      underWay += 1;
      void run();
    });
}
