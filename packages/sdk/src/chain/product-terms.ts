type Address = `0x${string}`;

/** The facts about a product that an action needs, read from the API once. */
export interface ProductTerms {
  shortId: string;
  name: string;
  chainId: number;
  contract: Address;
  asset: Address;
  identityRegistry: Address;
  symbol: string;
  assetDecimals: number;
  /** 0 if there are no shares, as in a time deposit. */
  shareDecimals: number;
  /** The redemption queue. Null if there is none. */
  queue: Address | null;
}
