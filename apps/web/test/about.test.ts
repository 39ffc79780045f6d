import { describe, expect, it } from "vitest";
import { custodyTexts, exitText, feeTexts, vestingText } from "../src/features/about/statements.ts";
import { makeProduct } from "./products.ts";

const conditions = makeProduct().conditions;
const withConditions = (change: Partial<typeof conditions>) => ({ conditions: { ...conditions, ...change } });
const term = { type: "time_deposit", ...withConditions({ performance_fee: null, vesting: null }) } as const;

describe("the sentences about money on /about", () => {
  it("state how much money custodians hold now, per currency", () => {
    const half = makeProduct(withConditions({ cash: "50000.000000", deployed: "150000.000000" }));
    const rest = makeProduct(withConditions({ cash: "0.000000", deployed: "49900.000000" }));
    const other = makeProduct({ asset: { ...half.asset, symbol: "EURX" }, ...withConditions({ cash: "7.000000" }) });
    expect(custodyTexts([half, rest, other])).toEqual([
      "Custodians now hold 199,900 tUSD, as reported by the operators: 79.9% of total assets. The contracts hold 50,000 tUSD, not counting money set aside for withdrawals.",
      "All deposits in EURX are in the contracts now.",
    ]);
  });

  it("state the shortest and the longest time over which a gain is added", () => {
    const slow = makeProduct(withConditions({ vesting: 7 * 86_400_000 }));
    expect(vestingText([makeProduct(), makeProduct()])).toBe(
      "A reported gain reaches the share price over 1 day or longer.",
    );
    expect(vestingText([slow, makeProduct()])).toContain("over 1 day or longer, in some products 7 days or longer");
    expect(vestingText([makeProduct(term)])).toBeNull();
  });

  it("name only fees that a product charges", () => {
    const free = makeProduct(withConditions({ performance_fee: "0.000000000000000000" }));
    const early = makeProduct({
      ...term,
      conditions: { ...term.conditions, early_withdrawal: { rate: "0.01", penalty: "0" } },
    });
    expect(feeTexts([free])[0]).toBe("No product charges a performance fee now.");
    expect(feeTexts([free])).toHaveLength(2);
    expect(feeTexts([free, makeProduct(), early])).toHaveLength(3);
    expect(feeTexts([free, makeProduct()])[0]).toMatch(/^Some products charge a performance fee on gains/);
  });

  it("name each product with deposits of which nothing is available", () => {
    const stuck = makeProduct({ name: "Sahel Solar", instant_capacity: "0.000000" });
    const empty = makeProduct({ name: "New", tvl: "0.000000", instant_capacity: "0.000000" });
    expect(exitText([makeProduct(), empty])).toBe("Every product with deposits has cash available now.");
    expect(exitText([makeProduct(), stuck, empty])).toBe("No cash is available now in: Sahel Solar.");
  });
});
