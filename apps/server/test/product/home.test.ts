import type { Product } from "@aqua/sdk/api/product";
import { describe, expect, it } from "vitest";
import { featuredOf } from "../../src/product/home.ts";

const day = 86_400_000;

/** An open product with this rate, in which 90 % of withdrawals are paid within this many days. */
function product(short_id: string, apy: string | null, days: number, parts: Partial<Product> = {}): Product {
  return {
    short_id,
    type: "demand_deposit",
    status: "open",
    paused_until: null,
    deposits_paused: false,
    term: null,
    cap: "100.000000",
    cap_used: "10.000000",
    asset: { address: "0x", symbol: "tUSD", decimals: 6 },
    apy: { value: apy, window_days: 30, kind: "variable", annualised: true },
    wait: { p50: 0, p90: days * day },
    as_of: { chain_id: 31337, block: 1, time: 1_000, stale: false },
    ...parts,
  } as Product;
}
const term = (short_id: string, apy: string) =>
  product(short_id, apy, 0, { type: "time_deposit", wait: null, term: { value: 1, unit: "year" } });
const names = (products: Product[]) => featuredOf(products).map(({ short_id }) => short_id);

describe("the featured products", () => {
  it("are sorted with a wait over seven days after a short one, at any rate", () => {
    expect(names([product("slow", "0.09", 8), product("quick", "0.02", 7)])).toEqual(["quick", "slow"]);
  });

  it("include one of each type, and then the highest rate", () => {
    const terms = [term("a", "0.07"), term("b", "0.06"), term("c", "0.05")];
    expect(names([...terms, product("demand", "0.03", 1)])).toEqual(["demand", "a", "b"]);
  });

  it("exclude products that accept no deposits, and have an unknown rate last", () => {
    const shut = [
      product("closed", "0.09", 0, { status: "closed" }),
      product("paused", "0.09", 0, { deposits_paused: true }),
      product("full", "0.09", 0, { cap_used: "100.000000" }),
      product("termless", "0.09", 0, { type: "time_deposit" }),
    ];
    expect(names([...shut, product("new", null, 0), product("known", "0.01", 0)])).toEqual(["known", "new"]);
  });
});
