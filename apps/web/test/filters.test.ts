import type { Product } from "@aqua/sdk/api/product";
import { describe, expect, it } from "vitest";
import {
  emptyingFilters,
  filterProducts,
  readFilters,
  readSort,
  withParameter,
} from "../src/features/products/filters.ts";
import { bestOpen, summarise } from "../src/features/products/summary.ts";
import { makeProduct } from "./products.ts";

const products: Product[] = [
  makeProduct({ short_id: "solar", name: "Sahel Solar", location: "Thiès, Senegal" }),
  makeProduct({
    short_id: "hydro",
    name: "Alpine Hydropower",
    status: "closed",
    apy: { value: "0.09", window_days: 30, kind: "variable", annualised: true },
  }),
  makeProduct({ short_id: "water", name: "Island Water", chain_id: 133 }),
];
const read = (query: string) => readFilters(new URLSearchParams(query));

describe("filters in the address", () => {
  it("are read, and what does not exist counts as not given", () => {
    expect(read("type=demand_deposit&status=open&network=133&q=sun")).toEqual({
      q: "sun",
      type: "demand_deposit",
      status: "open",
      network: 133,
    });
    expect(read("type=loan&status=maybe&network=-1")).toEqual({ q: "", type: null, status: null, network: null });
    expect(readSort(new URLSearchParams("sort=apy"))).toBe("apy");
    expect(readSort(new URLSearchParams("sort=luck"))).toBe("tvl");
  });

  it("change one at a time and leave the others", () => {
    const next = withParameter(new URLSearchParams("q=sun&status=open"), "status", null);
    expect(next.toString()).toBe("q=sun");
    expect(withParameter(next, "type", "time_deposit").toString()).toBe("q=sun&type=time_deposit");
  });

  it("find names without accents or case, each word somewhere", () => {
    const found = (query: string) => filterProducts(products, read(query)).map((product) => product.short_id);
    expect(found("q=THIES")).toEqual(["solar"]);
    expect(found("q=water+island")).toEqual(["water"]);
    expect(found("q=water+solar")).toEqual([]);
    expect(found("status=open")).toEqual(["solar", "water"]);
  });

  it("of an empty result name the one whose removal brings products back", () => {
    expect(emptyingFilters(products, read("q=hydro&status=open"))).toEqual(["q", "status"]);
    expect(emptyingFilters(products, read("q=zzz&status=open"))).toEqual(["q"]);
    expect(emptyingFilters(products, read("q=zzz&network=7"))).toEqual(["q", "network"]);
  });
});

describe("figures of an instance", () => {
  it("are summed by currency and keep unknown apart from zero", () => {
    const mixed = [
      makeProduct({ tvl: "1.5", proof_age: null }),
      makeProduct({ tvl: "2.25", asset: { address: "0x", symbol: "EURX", decimals: 2 }, proof_age: null }),
      makeProduct({ tvl: "0.5", proof_age: null }),
    ];
    expect(summarise(mixed).deposits).toEqual([
      { symbol: "tUSD", amount: "2.0" },
      { symbol: "EURX", amount: "2.25" },
    ]);
    expect(summarise(mixed).newestProof).toBeNull();
  });

  it("recommend the best rate among those that still take deposits", () => {
    expect(bestOpen(products)?.short_id).toBe("solar");
    expect(bestOpen([makeProduct({ tvl: "10", cap: "10" })])).toBeNull();
    expect(bestOpen([])).toBeNull();
  });
});
