/** The tree of query keys: what is invalidated together shares a prefix. Addresses are lower-case in keys. */
export const queryKeys = {
  network: ["network"] as const,
  products: ["products"] as const,
  /** Of every product that is open. */
  anyProduct: ["product"] as const,
  product: (shortId: string) => ["product", shortId] as const,
  /** Data of the logged-in account: account, identity, sessions. */
  me: ["me"] as const,
  account: (address: string) => ["account", address.toLowerCase()] as const,
};
