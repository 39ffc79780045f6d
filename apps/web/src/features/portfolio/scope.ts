import { queryKeys } from "../query-keys.ts";

/** The wallets of the displayed portfolio: one wallet, or several summed as one. */
export interface Scope {
  address: `0x${string}`;
  also: readonly `0x${string}`[];
}

/** The key is below the key of the first wallet, so invalidating that wallet invalidates the sum too. */
export function scopeKey(address: string | null, also: readonly string[], what: string) {
  return [...queryKeys.account(address ?? ""), what, ...also.map((other) => other.toLowerCase())] as const;
}

/** The query parameter with the further wallets. */
export function alsoQuery(also: readonly string[]): { also?: string } {
  return also.length > 0 ? { also: also.join(",") } : {};
}

/** Removes duplicates, ignoring letter case, and preserves the given order. */
export function distinctWallets(addresses: readonly (string | null)[]): `0x${string}`[] {
  const byLowerCase = new Map<string, `0x${string}`>();
  for (const address of addresses)
    if (address && !byLowerCase.has(address.toLowerCase()))
      byLowerCase.set(address.toLowerCase(), address as `0x${string}`);
  return [...byLowerCase.values()];
}
