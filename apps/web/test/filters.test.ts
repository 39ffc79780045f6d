import type { Product } from "@aqua/sdk/api/product";
import { describe, expect, it } from "vitest";
import { bestOpen } from "../src/features/products/best.ts";
import {
  emptyingFilters,
  filterProducts,
  readFilters,
  readSort,
  withParameter,
} from "../src/features/products/filters.ts";
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

  it("find a product by its English texts too where another language is shown", () => {
    const base = { name: "Sahel Solar", summary: "Pumps", location: "Thiès, Senegal", asset_class: "Irrigation" };
    const shown = [makeProduct({ short_id: "solar", name: "萨赫勒太阳能灌溉", location: "塞内加尔捷斯", base })];
    const found = (query: string) => filterProducts(shown, read(query)).length;
    expect([found("q=太阳能"), found("q=sahel+thies"), found("q=太阳能+solar"), found("q=水电")]).toEqual([1, 1, 1, 0]);
  });

  it("of an empty result name the one whose removal brings products back", () => {
    expect(emptyingFilters(products, read("q=hydro&status=open"))).toEqual(["q", "status"]);
    expect(emptyingFilters(products, read("q=zzz&status=open"))).toEqual(["q"]);
    expect(emptyingFilters(products, read("q=zzz&network=7"))).toEqual(["q", "network"]);
  });
});

it("the product recommended has the best rate among those that still take deposits", () => {
  expect(bestOpen(products)?.short_id).toBe("solar");
  expect(bestOpen([makeProduct({ tvl: "10", cap: "10" })])).toBeNull();
  expect(bestOpen([])).toBeNull();
});
