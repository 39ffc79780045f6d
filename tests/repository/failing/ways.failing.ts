import { beforeAll, describe, expect, it } from "vitest";

it("is wrong", () => expect(1).toBe(2));

it("passes while something is thrown elsewhere", async () => {
  setTimeout(() => {
    throw new Error("thrown elsewhere");
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
});

describe("a hook that throws", () => {
  beforeAll(() => {
    throw new Error("thrown in a hook");
  });
  it("never runs", () => {});
});

it.todo("is left out");
