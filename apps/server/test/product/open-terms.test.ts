import { expect, it } from "vitest";
import { termFigures } from "../../src/product/termOffers.ts";
import type { CurrentTermProduct } from "../../src/product/termStore.ts";

const E18 = 10n ** 18n;
const term = (termId: number, count: number, unit: number, percent: bigint, open = true) => ({
  termId,
  count,
  unit,
  rate: (percent * E18) / 100n,
  breakRate: 0n,
  penalty: 0n,
  open,
  cap: 10n ** 12n,
  principal: 0n,
});

/** An empty time deposit with terms of a year at 6 % and 30 days at 4 %, and a closed term. */
function current(claims = 0n): CurrentTermProduct {
  const nothing = { cash: 0n, deployed: 0n, principal: 0n, liabilities: 0n, reserved: 0n, received: 0n, losses: 0n };
  return {
    product: { assetDecimals: 6 },
    books: { ...nothing, claims, cap: 10n ** 12n, minDeposit: 1n, buffer: 0n, holders: 0, receipts: 0, pausedUntil: 0 },
    terms: [term(0, 1, 3, 6n), term(1, 30, 0, 4n), term(2, 7, 0, 9n, false)],
  } as unknown as CurrentTermProduct;
}

it("the product list has open terms shortest first, and the best paying one as the product's term", () => {
  const row = termFigures(current(), [], 1_700_000_000);
  expect(row.open_terms.map(({ value, unit, rate }) => [value, unit, Number(rate)])).toEqual([
    [30, "day", 0.04],
    [1, "year", 0.06],
  ]);
  expect(row.term).toEqual({ value: 1, unit: "year" });
});

it("the product list has no term after the product is wound down", () => {
  const row = termFigures(current(1n), [], 1_700_000_000);
  expect([row.open_terms, row.term, row.apy.value]).toEqual([[], null, null]);
});
