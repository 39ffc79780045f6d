import { expect, it } from "vitest";
import { batched } from "../../src/portfolio/batches.ts";

/** Reads that the test ends. */
function reads() {
  const begun: { keys: readonly number[]; end(values?: string[]): void; fail(error: Error): void }[] = [];
  const read = (keys: readonly number[]) =>
    new Promise<string[]>((resolve, reject) => {
      begun.push({ keys, end: (values = keys.map(String)) => resolve(values), fail: reject });
    });
  return { begun, read, keys: () => begun.map((one) => one.keys) };
}

it("batched reads serve simultaneous callers with one read, and later callers with the next", async () => {
  const { begun, read, keys } = reads();
  const ask = batched(read, { atOnce: 1, most: 3 });
  const first = [ask(1), ask(2), ask(2)];
  await expect.poll(keys).toEqual([[1, 2, 2]]);
  const later = [ask(3), ask(4), ask(5), ask(6)];
  begun[0]?.end();
  expect(await Promise.all(first)).toEqual(["1", "2", "2"]);
  await expect.poll(keys).toEqual([
    [1, 2, 2],
    [3, 4, 5],
  ]);
  begun[1]?.end();
  await expect.poll(keys).toEqual([[1, 2, 2], [3, 4, 5], [6]]);
  begun[2]?.end();
  expect(await Promise.all(later)).toEqual(["3", "4", "5", "6"]);
  const last = ask(7);
  await expect.poll(() => begun.length).toBe(4);
  begun[3]?.end();
  expect(await last).toBe("7");
});

it("batched reads never exceed the limit of concurrent reads", async () => {
  const { begun, read } = reads();
  const ask = batched(read, { atOnce: 2, most: 1 });
  const asked = [1, 2, 3, 4].map(ask);
  await expect.poll(() => begun.length).toBe(2);
  begun[0]?.end();
  await expect.poll(() => begun.length).toBe(3);
  for (const index of [1, 2, 3]) {
    await expect.poll(() => begun.length).toBeGreaterThan(index);
    begun[index]?.end();
  }
  expect(await Promise.all(asked)).toEqual(["1", "2", "3", "4"]);
});

it("a failed batched read fails only for its own callers", async () => {
  const { begun, read } = reads();
  const ask = batched(read, { atOnce: 1, most: 2 });
  const answers = Promise.allSettled([ask(1), ask(2), ask(3)]);
  await expect.poll(() => begun.length).toBe(1);
  begun[0]?.fail(new Error("away"));
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.end();
  expect((await answers).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});
