import type { TransactionKind } from "@aqua/sdk/api/account";

const addressPattern = /^0x[0-9a-fA-F]{40}$/;

/** Whose portfolio the address bar asks for: null when it names none, "invalid" when what it names is no address. */
export function readViewed(search: URLSearchParams): `0x${string}` | "invalid" | null {
  const address = search.get("address")?.trim();
  if (!address) return null;
  return addressPattern.test(address) ? (address as `0x${string}`) : "invalid";
}

/** The kinds that occur in this version. */
export const activityKinds: readonly TransactionKind[] = ["deposit", "withdraw", "transfer_in", "transfer_out"];

export function readKind(search: URLSearchParams): TransactionKind | null {
  return activityKinds.find((kind) => kind === search.get("kind")) ?? null;
}

export function readPage(search: URLSearchParams): number {
  const page = Number(search.get("page"));
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
}
