import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFairQueue, type FairQueue, QueueFull } from "../../src/limits/queue.ts";

let queue: FairQueue;
let ends: (() => void)[];
let begun: string[];

/** Work that reports its start and ends on request. */
const run = (caller: string, name: string) =>
  queue([caller], () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  });

beforeEach(() => {
  vi.useFakeTimers();
  queue = createFairQueue({
    running: { total: 3, perNetwork: 2 },
    waiting: { total: 3, perNetwork: 2 },
    waitMs: 1_000,
  });
  ends = [];
  begun = [];
});
afterEach(() => {
  vi.useRealTimers();
});

it("FairQueue skips a caller with the maximum of running calls", async () => {
  const all = [run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1"), run("b", "b2")];
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(["a1", "a2", "b1"]);
  ends[2]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(["a1", "a2", "b1", "b2"]);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun.at(-1)).toBe("a3");
  for (const end of ends) end();
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1", "b2"]);
});

it("FairQueue rejects calls beyond the places to wait, per caller and in total", async () => {
  for (const name of ["a1", "a2", "a3", "a4"]) run("a", name).catch(() => {});
  await expect(run("a", "a5")).rejects.toThrow(QueueFull);
  for (const name of ["b1", "b2"]) run("b", name).catch(() => {});
  await expect(run("c", "c1")).rejects.toThrow(QueueFull);
});

it("FairQueue rejects a call that has waited too long, and never starts it", async () => {
  for (const name of ["a1", "a2"]) void run("a", name);
  const late = expect(run("a", "a3")).rejects.toThrow(QueueFull);
  await vi.advanceTimersByTimeAsync(1_000);
  await late;
  for (const end of ends) end();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(["a1", "a2"]);
});

it("FairQueue passes the place of failed work to the next call", async () => {
  const failing = ["a1", "a2"].map((name) => queue(["a"], () => Promise.reject(new Error(name))));
  await expect(Promise.all(failing)).rejects.toThrow("a1");
  void run("a", "a3");
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(["a3"]);
});

it("FairQueue holds the place of work that continues elsewhere until that ends", async () => {
  let endElsewhere = () => {};
  const elsewhere = new Promise<void>((resolve) => {
    endElsewhere = resolve;
  });
  await queue(["a"], async (hold) => hold(elsewhere));
  void run("a", "a1");
  void run("a", "a2");
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(["a1"]);
  endElsewhere();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(["a1", "a2"]);
});
