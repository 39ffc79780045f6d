import type { Product, ProductListQuery, ProductStatus, ProductType } from "@aqua/sdk/api/product";
import { isFound } from "@aqua/sdk/search";

export type ProductSort = NonNullable<ProductListQuery["sort"]>;
export const productSorts: readonly ProductSort[] = ["tvl", "apy", "name", "newest"];
export const productTypes: readonly ProductType[] = ["demand_deposit", "time_deposit"];
export const productStatuses: readonly ProductStatus[] = ["open", "closed"];

export interface ProductFilters {
  q: string;
  type: ProductType | null;
  status: ProductStatus | null;
  /** Chain id. */
  network: number | null;
}
export type FilterName = keyof ProductFilters;

function oneOf<Value extends string>(value: string | null, allowed: readonly Value[]): Value | null {
  return allowed.find((candidate) => candidate === value) ?? null;
}

/** What an address says; values that do not exist count as not given. */
export function readFilters(search: URLSearchParams): ProductFilters {
  const network = search.get("network");
  return {
    q: (search.get("q") ?? "").slice(0, 80),
    type: oneOf(search.get("type"), productTypes),
    status: oneOf(search.get("status"), productStatuses),
    network: network !== null && /^\d{1,15}$/.test(network) ? Number(network) : null,
  };
}

export function readSort(search: URLSearchParams): ProductSort {
  return oneOf(search.get("sort"), productSorts) ?? "tvl";
}

/** The address with one filter or the sort changed; null and "" remove it. Parameters of others stay. */
export function withParameter(
  search: URLSearchParams,
  name: FilterName | "sort",
  value: string | null,
): URLSearchParams {
  const next = new URLSearchParams(search);
  if (value) next.set(name, value);
  else next.delete(name);
  return next;
}

/** What a search looks through: the texts shown, and the English ones beneath. */
function searched({ name, short_id, summary, location, asset_class, base }: Product) {
  return [name, short_id, summary, location, asset_class, ...Object.values(base ?? {})];
}

/** Products that pass every filter. */
export function filterProducts(products: readonly Product[], filters: ProductFilters): Product[] {
  return products.filter(
    (product) =>
      (filters.type === null || product.type === filters.type) &&
      (filters.status === null || product.status === filters.status) &&
      (filters.network === null || product.chain_id === filters.network) &&
      isFound(filters.q, searched(product)),
  );
}

export function isActive(filters: ProductFilters, name: FilterName): boolean {
  return name === "q" ? filters.q.trim() !== "" : filters[name] !== null;
}

const filterNames: readonly FilterName[] = ["q", "type", "status", "network"];
const none: ProductFilters = { q: "", type: null, status: null, network: null };

/** For an empty result: the filters each of which, taken away alone, brings products back; all active ones if none does. */
export function emptyingFilters(products: readonly Product[], filters: ProductFilters): FilterName[] {
  const active = filterNames.filter((name) => isActive(filters, name));
  const guilty = active.filter((name) => filterProducts(products, { ...filters, [name]: none[name] }).length > 0);
  return guilty.length > 0 ? guilty : active;
}
