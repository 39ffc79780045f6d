import type { Product } from "@aqua/sdk/api/product";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  activeFilters,
  emptyingFilters,
  filterProducts,
  type ProductFilters,
  productStatuses,
  productTypes,
  readFilters,
  readSort,
  termChoices,
  withoutFilters,
  withParameter,
} from "../../src/features/products/filters.ts";
import { makeProduct } from "../products.ts";

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

const nothing: ProductFilters = { q: "", type: null, status: null, network: null, term: null, exit: null };

const anyFilters: fc.Arbitrary<ProductFilters> = fc.record({
  q: fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => text.length <= 80),
  type: fc.option(fc.constantFrom(...productTypes)),
  status: fc.option(fc.constantFrom(...productStatuses)),
  network: fc.option(fc.nat()),
  term: fc.option(fc.constantFrom(...termChoices)),
  exit: fc.option(
    fc.tuple(fc.nat(), fc.nat()).map(([whole, fraction]) => `${whole + 1}${fraction > 0 ? `.${fraction}` : ""}`),
  ),
});

/** Sets the filters one after the other, like a visitor. */
function addressOf(filters: ProductFilters, before = new URLSearchParams()): URLSearchParams {
  return (Object.keys(nothing) as (keyof ProductFilters)[]).reduce(
    (search, name) => withParameter(search, name, filters[name] === null ? null : String(filters[name])),
    before,
  );
}

describe("filters in the address", () => {
  it("are restored from a copied address, whatever they are", () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const copied = new URLSearchParams(addressOf(filters).toString());
        expect(readFilters(copied)).toEqual(filters);
      }),
    );
  });

  it("leave other parameters unchanged, and are cleared together", () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const others = "sort=apy&view=table&compare=solar%2Chydro";
        const search = addressOf(filters, new URLSearchParams(others));
        expect(withoutFilters(search).toString()).toBe(others);
        expect(activeFilters(readFilters(withoutFilters(search)))).toEqual([]);
      }),
    );
  });

  it("reset the page of the list", () => {
    expect(withParameter(new URLSearchParams("page=3&q=sun"), "status", "open").toString()).toBe("q=sun&status=open");
    expect(withParameter(new URLSearchParams("page=3"), "sort", "apy").toString()).toBe("sort=apy");
  });

  it("are read, and invalid ones are ignored", () => {
    expect(read("type=demand_deposit&status=open&network=133&q=sun")).toEqual({
      q: "sun",
      type: "demand_deposit",
      status: "open",
      network: 133,
      term: null,
      exit: null,
    });
    expect(read("type=loan&status=maybe&network=-1&term=soon&exit=-5")).toEqual(nothing);
    expect(["exit=0", "exit=0.00", "exit=1e3", "exit=much"].map((query) => read(query).exit)).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(readSort(new URLSearchParams("sort=apy"))).toBe("apy");
    expect(readSort(new URLSearchParams("sort=luck"))).toBe("tvl");
  });

  it("change one at a time", () => {
    const next = withParameter(new URLSearchParams("q=sun&status=open"), "status", null);
    expect(next.toString()).toBe("q=sun");
    expect(withParameter(next, "type", "time_deposit").toString()).toBe("q=sun&type=time_deposit");
  });

  it("find names ignoring accents and case, with each word anywhere", () => {
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

  it("of an empty result include the one whose removal yields products, and how many", () => {
    expect(emptyingFilters(products, read("q=hydro&status=open"))).toEqual([
      { name: "q", found: 2 },
      { name: "status", found: 1 },
    ]);
    expect(emptyingFilters(products, read("q=zzz&status=open"))).toEqual([{ name: "q", found: 2 }]);
    expect(emptyingFilters(products, read("exit=100.000001"))).toEqual([{ name: "exit", found: 3 }]);
  });

  it("of an empty result include none where only several together empty it", () => {
    expect(emptyingFilters(products, read("q=zzz&network=7"))).toEqual([]);
  });

  it("compare an exit with the available liquidity to the last unit", () => {
    const rich = makeProduct({ short_id: "rich", instant_capacity: "900719925474099.000001" });
    const found = (exit: string) => filterProducts([rich], read(`exit=${exit}`)).length;
    expect([found("900719925474099.000001"), found("900719925474099.000002")]).toEqual([1, 0]);
  });

  it("match a time deposit by every open term, a demand deposit by having none", () => {
    const offer = (value: number, unit: "day" | "month" | "year") => ({ value, unit, rate: "0.05", apy: "0.05" });
    const time = makeProduct({
      short_id: "time",
      type: "time_deposit",
      term: { value: 2, unit: "year" },
      open_terms: [offer(90, "day"), offer(1, "year"), offer(2, "year")],
    });
    const shut = makeProduct({ short_id: "shut", type: "time_deposit", term: null, open_terms: [] });
    const all = [makeProduct(), time, shut];
    const found = (term: string) => filterProducts(all, read(`term=${term}`)).map((product) => product.short_id);
    expect(found("none")).toEqual(["solar"]);
    expect([found("quarter"), found("year"), found("longer")]).toEqual([["time"], ["time"], ["time"]]);
    const monthly = makeProduct({ type: "time_deposit", term: { value: 3, unit: "month" } });
    expect(filterProducts([monthly], read("term=quarter")).length).toBe(1);
    expect(filterProducts([monthly], read("term=year")).length).toBe(0);
  });
});
