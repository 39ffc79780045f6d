/** The tree of query keys. Keys that are invalidated together share a prefix. Addresses in keys are lower-case. */
export const queryKeys = {
  network: ["network"] as const,
  products: ["products"] as const,
  /** Matches every product that is open. */
  anyProduct: ["product"] as const,
  product: (shortId: string) => ["product", shortId] as const,
  /** Data of the logged-in account: account, identity, sessions. */
  me: ["me"] as const,
  account: (address: string) => ["account", address.toLowerCase()] as const,
};
