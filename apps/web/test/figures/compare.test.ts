import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Compared, checkAgainIfDifferent, compareUnits } from "../../src/features/transparency/compare.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Checks 5 of this site against what the node answers in turn, the last answer repeatedly. */
async function checkedAgainst(...answers: bigint[]) {
  let asked = 0;
  const check = async (): Promise<Compared<"shares">[]> => {
    const chain = answers[Math.min(asked++, answers.length - 1)] ?? 0n;
    return [compareUnits({ figure: "shares", as: "amount", asked: "totalAssets()", site: "5", chain, decimals: 0 })];
  };
  const outcome = checkAgainIfDifferent(check, (figures) => figures);
  await vi.runAllTimersAsync();
  return { standings: (await outcome).map(({ standing }) => standing), asked };
}

it("does not say that a figure differs where a node answered for another block only once", async () => {
  expect(await checkedAgainst(6n, 5n)).toEqual({ standings: ["equal"], asked: 2 });
});

it("says that a figure differs where it differs again", async () => {
  expect(await checkedAgainst(6n)).toEqual({ standings: ["different"], asked: 2 });
});

it("asks once where nothing differs", async () => {
  expect(await checkedAgainst(5n)).toEqual({ standings: ["equal"], asked: 1 });
});
