import { expect, it } from "vitest";
import { addTotals } from "../../src/product/summary.ts";

it("the summary adds amounts of one unit in the decimals of the finer asset and subtracts losses", () => {
  const coarse = { decimals: 6, deposits: 1_500_000n, income: -2n };
  const fine = { decimals: 18, deposits: 1n, income: 5n };
  const sum = { decimals: 18, deposits: 1_500_000_000_000_000_001n, income: -1_999_999_999_995n };
  expect(addTotals(coarse, fine)).toEqual(sum);
  expect(addTotals(fine, coarse)).toEqual(sum);
});

it("income without a report is unknown, and does not change known income", () => {
  const silent = { decimals: 6, deposits: 4n, income: null };
  const known = { decimals: 6, deposits: 1n, income: 0n };
  expect(addTotals(silent, known)).toEqual({ decimals: 6, deposits: 5n, income: 0n });
  expect(addTotals(known, silent)).toEqual({ decimals: 6, deposits: 5n, income: 0n });
  expect(addTotals(silent, silent).income).toBeNull();
});
