import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { compareUnits } from "../../src/features/transparency/comparison.ts";
import { type CheckedReserves, readAgainIfDifferent } from "../../src/features/transparency/reserves-verification.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Compares the site's 5 with the node's answers in turn. The last answer repeats. */
async function readAgainst(...answers: bigint[]) {
  let asked = 0;
  const read = async (): Promise<CheckedReserves> => {
    const chain = answers[Math.min(asked++, answers.length - 1)] ?? 0n;
    const amount = { figure: "shares", as: "amount", query: "totalAssets()", site: "5", chain, decimals: 0 } as const;
    return { figures: [compareUnits(amount)], age: 0, source: { by: "site" } };
  };
  const outcome = readAgainIfDifferent(read);
  await vi.runAllTimersAsync();
  return { standings: (await outcome).figures.map(({ standing }) => standing), asked };
}

it("a figure that differs only once, because a node answered for another block, is not reported as different", async () => {
  expect(await readAgainst(6n, 5n)).toEqual({ standings: ["equal"], asked: 2 });
});

it("a figure that differs a second time is reported as different", async () => {
  expect(await readAgainst(6n)).toEqual({ standings: ["different"], asked: 2 });
});

it("the chain is read once if nothing differs", async () => {
  expect(await readAgainst(5n)).toEqual({ standings: ["equal"], asked: 1 });
});
