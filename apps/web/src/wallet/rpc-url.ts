/** Whole, not a path: wallets are given it to add the network, and WalletConnect takes no other. */
export function rpcUrl(chainId: number): string {
  return `${location.origin}/rpc/${chainId}`;
}
