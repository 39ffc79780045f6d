/** The absolute URL of a chain's proxy. Wallets receive it to add the network, and WalletConnect accepts no path. */
export function rpcUrl(chainId: number): string {
  return `${location.origin}/rpc/${chainId}`;
}
