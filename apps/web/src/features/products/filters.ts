import type { Product, ProductListQuery, ProductStatus, ProductType } from "@aqua/sdk/api/product";
import { isFound } from "@aqua/sdk/search";
import { compareAmounts, isZero } from "../decimal.ts";

export type ProductSort = NonNullable<ProductListQuery["sort"]>;
export const productSorts: readonly ProductSort[] = ["tvl", "apy", "name", "newest"];
export const productTypes: readonly ProductType[] = ["demand_deposit", "time_deposit"];
export const productStatuses: readonly ProductStatus[] = ["open", "closed"];
/** Without a term; up to three months; longer, up to a year; longer than that. */
export const termChoices = ["none", "quarter", "year", "longer"] as const;
export type TermChoice = (typeof termChoices)[number];

export interface ProductFilters {
  q: string;
  type: ProductType | null;
  status: ProductStatus | null;
  /** Chain id. */
  network: number | null;
  term: TermChoice | null;
  /** What must be able to leave today, in whole units of the product's asset. */
  exit: string | null;
}
export type FilterName = keyof ProductFilters;

function oneOf<Value extends string>(value: string | null, allowed: readonly Value[]): Value | null {
  return allowed.find((candidate) => candidate === value) ?? null;
}

/** What an address says; values that do not exist count as not given. */
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
 * The address with one filter or the sort changed; null and "" remove it. The list begins at its first page again.
 * Parameters of others stay.
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

/** What a search looks through: the texts shown, and the English ones beneath. */
function searched({ name, short_id, summary, location, asset_class, base }: Product) {
  return [name, short_id, summary, location, asset_class, ...Object.values(base ?? {})];
}

const daysOf = { day: 1, week: 7, month: 30.4375, year: 365.25 };

function termChoiceOf({ value, unit }: NonNullable<Product["term"]>): TermChoice {
  const days = value * daysOf[unit];
  // Three months have up to 92 days, a year up to 366.
  return days <= 92 ? "quarter" : days <= 366 ? "year" : "longer";
}

/** Whether a deposit of this product can be had for such a time. */
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
      (filters.exit === null || compareAmounts(product.instant_capacity, filters.exit) >= 0) &&
      isFound(filters.q, searched(product)),
  );
}

const filterNames: readonly FilterName[] = ["q", "type", "status", "network", "term", "exit"];
const none: ProductFilters = { q: "", type: null, status: null, network: null, term: null, exit: null };

export function activeFilters(filters: ProductFilters): FilterName[] {
  return filterNames.filter((name) => (name === "q" ? filters.q.trim() !== "" : filters[name] !== null));
}

/**
 * For an empty result: the filters each of which, taken away alone, brings products back, and how many. Empty when none
 * does alone.
 */
export function emptyingFilters(
  products: readonly Product[],
  filters: ProductFilters,
): { name: FilterName; found: number }[] {
  return activeFilters(filters)
    .map((name) => ({ name, found: filterProducts(products, { ...filters, [name]: none[name] }).length }))
    .filter(({ found }) => found > 0);
}
