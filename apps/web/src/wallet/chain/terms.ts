type Address = `0x${string}`;

/** Everything an action needs to know about a product, read from the API once. */
export interface VaultTerms {
  shortId: string;
  name: string;
  chainId: number;
  vault: Address;
  asset: Address;
  identityRegistry: Address;
  symbol: string;
  assetDecimals: number;
  shareDecimals: number;
}
