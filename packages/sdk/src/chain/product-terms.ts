type Address = `0x${string}`;

/** Everything an action needs about a product, read from the API once. */
export interface ProductTerms {
  shortId: string;
  name: string;
  chainId: number;
  contract: Address;
  asset: Address;
  identityRegistry: Address;
  symbol: string;
  assetDecimals: number;
  /** 0 where there are no shares, as in a time deposit. */
  shareDecimals: number;
  /** The redemption queue; null where there is none. */
  queue: Address | null;
}
