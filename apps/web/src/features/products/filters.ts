import type { Product, ProductListQuery, ProductStatus, ProductType } from "@aqua/sdk/api/product";
import { isFound } from "@aqua/sdk/search";
import { compareAmounts, isZero } from "../decimal.ts";

export type ProductSort = NonNullable<ProductListQuery["sort"]>;
export const productSorts: readonly ProductSort[] = ["tvl", "apy", "name", "newest"];
export const productTypes: readonly ProductType[] = ["demand_deposit", "time_deposit"];
export const productStatuses: readonly ProductStatus[] = ["open", "closed"];
/** No term; up to three months; up to a year; longer. */
export const termChoices = ["none", "quarter", "year", "longer"] as const;
export type TermChoice = (typeof termChoices)[number];

export interface ProductFilters {
  q: string;
  type: ProductType | null;
  status: ProductStatus | null;
  /** Chain id. */
  network: number | null;
  term: TermChoice | null;
  /** The amount that must be withdrawable today, in whole units of the product's asset. */
  exit: string | null;
}
export type FilterName = keyof ProductFilters;

function oneOf<Value extends string>(value: string | null, allowed: readonly Value[]): Value | null {
  return allowed.find((candidate) => candidate === value) ?? null;
}

/** The filters in an address; invalid values are ignored. */
export function readFilters(search: URLSearchParams): ProductFilters {
  const network = search.get("network");
  const exit = search.get("exit");
  return {
    q: (search.get("q") ?? "").slice(0, 80),
    type: oneOf(search.get("type"), productTypes),
    status: oneOf(search.get("status"), productStatuses),
    network: network !== null && /^\d{1,15}$/.test(network) ? Number(network) : null,
    term: oneOf(search.get("term"), termChoices),
    exit: exit !== null && /^\d{1,15}(\.\d{1,18})?$/.test(exit) && !isZero(exit) ? exit : null,
  };
}

export function readSort(search: URLSearchParams): ProductSort {
  return oneOf(search.get("sort"), productSorts) ?? "tvl";
}

/**
 * The address with one filter or the sort changed; null and "" remove the parameter. Resets the list's page and
 * preserves all other parameters.
 */
export function withParameter(
  search: URLSearchParams,
  name: FilterName | "sort",
  value: string | null,
): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete("page");
  if (value) next.set(name, value);
  else next.delete(name);
  return next;
}

export function withoutFilters(search: URLSearchParams): URLSearchParams {
  return filterNames.reduce((next, name) => withParameter(next, name, null), search);
}

/** The texts a search covers: the displayed ones, and the English ones. */
function searched({ name, short_id, summary, location, asset_class, base }: Product) {
  return [name, short_id, summary, location, asset_class, ...Object.values(base ?? {})];
}

const daysOf = { day: 1, week: 7, month: 30.4375, year: 365.25 };

function termChoiceOf({ value, unit }: NonNullable<Product["term"]>): TermChoice {
  const days = value * daysOf[unit];
  // Three months have up to 92 days, a year up to 366.
  return days <= 92 ? "quarter" : days <= 366 ? "year" : "longer";
}

/** Whether the product offers a deposit of this length. */
function offers(product: Product, choice: TermChoice): boolean {
  if (product.type === "demand_deposit") return choice === "none";
  const terms = product.open_terms ?? (product.term ? [product.term] : []);
  return terms.some((term) => termChoiceOf(term) === choice);
}

/** Products that pass every filter. */
export function filterProducts(products: readonly Product[], filters: ProductFilters): Product[] {
  return products.filter(
    (product) =>
      (filters.type === null || product.type === filters.type) &&
      (filters.status === null || product.status === filters.status) &&
      (filters.network === null || product.chain_id === filters.network) &&
      (filters.term === null || offers(product, filters.term)) &&
      (filters.exit === null ||
        (product.instant_capacity !== null && compareAmounts(product.instant_capacity, filters.exit) >= 0)) &&
      isFound(filters.q, searched(product)),
  );
}

const filterNames: readonly FilterName[] = ["q", "type", "status", "network", "term", "exit"];
const none: ProductFilters = { q: "", type: null, status: null, network: null, term: null, exit: null };

export function activeFilters(filters: ProductFilters): FilterName[] {
  return filterNames.filter((name) => (name === "q" ? filters.q.trim() !== "" : filters[name] !== null));
}

/**
 * For an empty result: the filters whose removal alone yields products, and how many products each yields. Empty when
 * there is no such filter.
 */
export function emptyingFilters(
  products: readonly Product[],
  filters: ProductFilters,
): { name: FilterName; found: number }[] {
  return activeFilters(filters)
    .map((name) => ({ name, found: filterProducts(products, { ...filters, [name]: none[name] }).length }))
    .filter(({ found }) => found > 0);
}
