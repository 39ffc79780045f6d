import type { TransactionKind } from "@aqua/sdk/api/portfolio";
import type { Range } from "@aqua/sdk/api/product";

const addressPattern = /^0x[0-9a-fA-F]{40}$/;

/** The portfolio address in the URL. Null if there is none, "invalid" if it is not an address. */
export function readViewed(search: URLSearchParams): `0x${string}` | "invalid" | null {
  const address = search.get("address")?.trim();
  if (!address) return null;
  return addressPattern.test(address) ? (address as `0x${string}`) : "invalid";
}

/**
 * The kinds that occur (requests cannot be cancelled). Listed here, since importing the schema would add its library to
 * the bundle.
 */
export const activityKinds = [
  "deposit",
  "withdraw",
  "request",
  "processed",
  "claim",
  "mature",
  "rollover",
  "transfer_in",
  "transfer_out",
] as const satisfies readonly TransactionKind[];

export function readKind(search: URLSearchParams): TransactionKind | null {
  return activityKinds.find((kind) => kind === search.get("kind")) ?? null;
}

/** Upper bound for page numbers; no list of the API has this many pages. */
const maxPages = 1_000_000;

export function readPage(search: URLSearchParams): number {
  const page = Number(search.get("page"));
  return Number.isSafeInteger(page) && page >= 1 && page <= maxPages ? page : 1;
}

/** The product that a list is filtered by. Null if the id is missing or malformed. */
export function readProduct(search: URLSearchParams): string | null {
  const shortId = search.get("product");
  return shortId !== null && /^[a-z0-9-]{1,32}$/.test(shortId) ? shortId : null;
}

const ranges: readonly Range[] = ["7d", "30d", "90d", "1y", "all"];

export function readRange(search: URLSearchParams): Range {
  return ranges.find((range) => range === search.get("range")) ?? "all";
}

export const tabs = ["demand", "time", "requests", "activity", "statements"] as const;
export type PortfolioTab = (typeof tabs)[number];

export function readTab(search: URLSearchParams): PortfolioTab {
  return tabs.find((tab) => tab === search.get("tab")) ?? "demand";
}

/** Parameters that belong to one tab. Opening another tab removes them. */
export const tabFilters = ["page", "kind", "product", "period", "from", "to"] as const;
