import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answers, createAnswers } from "../../src/http/answers.ts";
import { shareRead } from "../../src/http/sharedRead.ts";

/** A promise that the test settles. */
function held<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Runs all pending microtasks and immediates. */
const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
};

let version: string;
let answers: Answers;
const there = { isThere: () => true };
const asText = async (key: string, text: string) =>
  (await answers.answer(key, there, async () => text)).bytes.toString();

beforeEach(() => {
  version = "one";
  answers = createAnswers(async () => version, 1_000);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("a shared read", () => {
  it("starts after the call of its caller, and is shared with all callers that come meanwhile", async () => {
    const reads: ReturnType<typeof held<number>>[] = [];
    const shared = shareRead(() => {
      const one = held<number>();
      reads.push(one);
      return one.promise;
    });
    const together = [shared(), shared()];
    await settle();
    expect(reads).toHaveLength(1);
    const later = [shared(), shared()];
    await settle();
    expect(reads).toHaveLength(1);
    reads[0]?.resolve(1);
    expect(await Promise.all(together)).toEqual([1, 1]);
    await settle();
    expect(reads).toHaveLength(2);
    reads[1]?.resolve(2);
    expect(await Promise.all(later)).toEqual([2, 2]);
  });

  it("fails only for the callers that share it", async () => {
    let fails = true;
    const shared = shareRead(async () => {
      if (fails) throw new Error("away");
      return 1;
    });
    const both = [shared(), shared()].map((one) => expect(one).rejects.toThrow("away"));
    await Promise.all(both);
    fails = false;
    expect(await shared()).toBe(1);
  });
});

describe("cached answers", () => {
  it("are computed once for all simultaneous requests", async () => {
    const made = held<string>();
    const compute = vi.fn(() => made.promise);
    const all = ["first", "second"].map(() => answers.answer("a", there, compute));
    await settle();
    made.resolve("text");
    const [one, other] = await Promise.all(all);
    expect(compute).toHaveBeenCalledTimes(1);
    expect(one).toBe(other);
  });

  it("from a snapshot of another version are returned to waiting requests and to no later request", async () => {
    const waiting = answers.answer("a", there, async ({ isFrom }) => {
      isFrom("one");
      isFrom("two");
      return "of either";
    });
    expect((await waiting).bytes.toString()).toBe("of either");
    expect(await asText("a", "of one")).toBe("of one");
  });

  it("are bounded in number, because small ones take more memory than their bytes", async () => {
    answers = createAnswers(async () => version);
    const compute = vi.fn(async () => "small");
    for (const key of ["first", ...Array.from({ length: 5_000 }, (_, index) => `next ${index}`), "first"])
      await answers.answer(key, there, compute);
    expect(compute).toHaveBeenCalledTimes(5_002);
  });

  it("are not returned after their version has passed, and not stored for its return", async () => {
    expect(await asText("a", "first")).toBe("first");
    version = "two";
    expect(await asText("a", "second")).toBe("second");
    version = "one";
    expect(await asText("a", "third")).toBe("third");
  });

  it("do not make a request after a change wait for an earlier one", async () => {
    const slow = held<string>();
    const before = answers.answer("a", there, () => slow.promise);
    await settle();
    version = "two";
    expect(await asText("a", "of two")).toBe("of two");
    slow.resolve("of one");
    await before;
    await settle();
    expect(await asText("a", "made anew")).toBe("of two");
  });

  it("do not include failures: all waiting requests get the error, and the next request tries again", async () => {
    const failing = () => Promise.reject(new Error("away"));
    await Promise.all([1, 2].map(() => expect(answers.answer("a", there, failing)).rejects.toThrow("away")));
    expect(await asText("a", "text")).toBe("text");
  });

  it("are removed above the size limit, which includes compressed forms, the least recently requested first", async () => {
    const big = "x".repeat(400);
    await asText("a", `${big}a`);
    await asText("b", `${big}b`);
    await settle();
    await asText("a", "never made");
    await asText("c", `${big}c`);
    await settle();
    expect(await asText("a", "never made")).toBe(`${big}a`);
    expect(await asText("b", "made anew")).toBe("made anew");
  });

  it("that are too large for the cache are still returned", async () => {
    const huge = "x".repeat(2_000);
    expect(await asText("a", huge)).toBe(huge);
    await settle();
    expect(await asText("a", "made anew")).toBe("made anew");
  });

  it("are awaited as soon as their computation begins", async () => {
    const made = answers.answer("a", there, async ({ isAwaited }) => String(isAwaited()));
    expect((await made).bytes.toString()).toBe("true");
  });

  it("are computed while a request waits, and abandoned if none waits, so that a later request starts again", async () => {
    let [first, second] = [true, true];
    const ends = held<string>();
    let isAwaited = () => true;
    const waiting = [
      answers.answer("a", { isThere: () => first }, (how) => {
        isAwaited = how.isAwaited;
        return ends.promise;
      }),
      answers.answer("a", { isThere: () => second }, () => Promise.reject(new Error("not asked"))),
    ];
    await settle();
    first = false;
    expect(isAwaited()).toBe(true);
    second = false;
    expect(isAwaited()).toBe(false);
    expect(await asText("a", "anew")).toBe("anew");
    ends.reject(new Error("nobody waits"));
    for (const one of waiting) await expect(one).rejects.toThrow("nobody waits");
  });
});
