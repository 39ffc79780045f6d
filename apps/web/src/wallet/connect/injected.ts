/** The flags by which wallets identify themselves on window.ethereum. */
type Flagged = Record<string, unknown>;

/** OKX Wallet's own provider on window, or null. */
export function findOkx(): object | null {
  const { okxwallet } = window as unknown as { okxwallet?: object };
  return okxwallet ?? null;
}

function injectedProviders(): Flagged[] {
  const ethereum = (window as unknown as { ethereum?: Flagged & { providers?: Flagged[] } }).ethereum;
  if (ethereum === undefined) return [];
  return Array.isArray(ethereum.providers) ? ethereum.providers : [ethereum];
}

/** The injected provider with one of `flags`, or null. */
export function findInjected(flags: readonly string[]): Flagged | null {
  return injectedProviders().find((provider) => flags.some((flag) => provider[flag] === true)) ?? null;
}
