import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestAmong } from "../../src/features/products/comparison.ts";
import {
  listPageSize,
  mostCompared,
  readCompared,
  readListPage,
  readSideBySide,
  toggled,
  withCompared,
  withListPage,
  withSideBySide,
} from "../../src/features/products/list-view.ts";
import { makeProduct } from "../products.ts";

const id = fc.stringMatching(/^[a-z0-9-]{1,32}$/);

describe("the choice for a comparison", () => {
  it("is restored from a copied address, at most three and without duplicates", () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: mostCompared }), (ids) => {
        const copied = new URLSearchParams(withCompared(new URLSearchParams("q=sun"), ids).toString());
        expect(readCompared(copied)).toEqual(ids);
        expect(copied.get("q")).toBe("sun");
      }),
    );
    expect(readCompared(new URLSearchParams("compare=a,a,B!,b,c,d"))).toEqual(["a", "b", "c"]);
  });

  it("accepts no fourth, is toggled, and ends below two", () => {
    expect(toggled(["a", "b", "c"], "d")).toEqual(["a", "b", "c"]);
    expect(toggled(["a", "b", "c"], "b")).toEqual(["a", "c"]);
    const side = withSideBySide(withCompared(new URLSearchParams(), ["a", "b"]), true);
    expect(readSideBySide(side)).toBe(true);
    expect(withCompared(side, ["a"]).toString()).toBe("compare=a");
    expect(readSideBySide(new URLSearchParams("side=1&compare=a"))).toBe(false);
  });
});

it("a page of the list is stored in the address, and one beyond the end becomes the last", () => {
  expect(readListPage(withListPage(new URLSearchParams(), 2), listPageSize + 1)).toBe(2);
  expect(readListPage(new URLSearchParams("page=9"), listPageSize + 1)).toBe(2);
  expect(
    ["page=0", "page=-1", "page=1.5", "page=x", ""].map((page) => readListPage(new URLSearchParams(page), 99)),
  ).toEqual([1, 1, 1, 1, 1]);
});

describe("the best of the compared products", () => {
  const rate = (value: string | null, annualised = true) => ({
    value,
    window_days: 30,
    kind: "variable" as const,
    annualised,
  });

  it("has the highest yearly rate, ignoring raw returns over a few days", () => {
    const products = [
      makeProduct({ apy: rate("0.05") }),
      makeProduct({ apy: rate("0.09", false) }),
      makeProduct({ apy: { ...rate("0.06", false), kind: "fixed" } }),
    ];
    expect(bestAmong(products, "apy")).toEqual([false, false, true]);
  });

  it("is none when all known figures are equal or only one is known, and several when they share it", () => {
    const wait = (p50: number | null) => makeProduct({ wait: p50 === null ? null : { p50, p90: p50 } });
    expect(bestAmong([wait(0), wait(0)], "wait")).toEqual([false, false]);
    expect(bestAmong([wait(5), wait(null)], "wait")).toEqual([false, false]);
    expect(bestAmong([wait(5), wait(0), wait(0)], "wait")).toEqual([false, true, true]);
  });

  it("is exact to the last unit, and never across two currencies", () => {
    const exit = (instant_capacity: string, symbol = "tUSD") =>
      makeProduct({
        instant_capacity,
        asset: { address: `0x${(symbol === "tUSD" ? "1" : "2").repeat(40)}`, symbol, decimals: 6 },
      });
    expect(bestAmong([exit("9007199254740993.000001"), exit("9007199254740993.000002")], "exit")).toEqual([
      false,
      true,
    ]);
    expect(bestAmong([exit("1"), exit("2", "EUR")], "exit")).toEqual([false, false]);
  });

  it("has the lowest minimum and the newest proof", () => {
    const products = [
      makeProduct({ min_deposit: "9", proof_age: 5 }),
      makeProduct({ min_deposit: "10", proof_age: 4 }),
      makeProduct({ type: "time_deposit", min_deposit: "100", proof_age: null }),
    ];
    expect(bestAmong(products, "minimum")).toEqual([true, false, false]);
    expect(bestAmong(products, "proof")).toEqual([false, true, false]);
  });
});
