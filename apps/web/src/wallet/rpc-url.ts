/** An absolute URL. Wallets receive it to add the network, and WalletConnect does not accept a path. */
export function rpcUrl(chainId: number): string {
  return `${location.origin}/rpc/${chainId}`;
}
