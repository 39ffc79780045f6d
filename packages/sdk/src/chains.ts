/**
 * A chain that Aqua can run on. The five public ones are those of the specification; `local` exists only in the demo.
 */
export interface AquaChain {
  id: number;
  name: string;
  native: { name: string; symbol: string; decimals: 18 };
  explorer: string | null;
  testnet: boolean;
  /** Blocks after which a block counts as final. Source: each network's documentation. A setting overrides it. */
  confirmations: number;
  /** Seconds between two blocks. Null if the chain makes blocks only when there are transactions. */
  blockTime: number | null;
}

const ether = { name: "Ether", symbol: "ETH", decimals: 18 } as const;

export const localChain: AquaChain = {
  id: 31337,
  name: "Aqua Local",
  native: ether,
  explorer: null,
  testnet: true,
  confirmations: 2,
  blockTime: null,
};

export const publicChains: readonly AquaChain[] = [
  {
    id: 1,
    name: "Ethereum",
    native: ether,
    explorer: "https://etherscan.io",
    testnet: false,
    confirmations: 64,
    blockTime: 12,
  },
  {
    id: 11155111,
    name: "Sepolia",
    native: ether,
    explorer: "https://sepolia.etherscan.io",
    testnet: true,
    confirmations: 64,
    blockTime: 12,
  },
  {
    id: 324,
    name: "zkSync Era",
    native: ether,
    explorer: "https://era.zksync.network",
    testnet: false,
    confirmations: 64,
    blockTime: null,
  },
  {
    id: 300,
    name: "zkSync Sepolia",
    native: ether,
    explorer: "https://sepolia-era.zksync.network",
    testnet: true,
    confirmations: 64,
    blockTime: null,
  },
  {
    id: 133,
    name: "HashKey Chain Testnet",
    native: { name: "HashKey Platform Token", symbol: "HSK", decimals: 18 },
    explorer: "https://testnet-explorer.hsk.xyz",
    testnet: true,
    confirmations: 64,
    blockTime: 2,
  },
];

export const allChains: readonly AquaChain[] = [...publicChains, localChain];

/** The chain with this id. Null if Aqua does not support it. */
export function findChain(chainId: number): AquaChain | null {
  return allChains.find((chain) => chain.id === chainId) ?? null;
}

/** Blocks after which a block counts as final on a chain that Aqua does not know. */
const DEFAULT_CONFIRMATIONS = 64;

/** Blocks after which a block of this chain counts as final, unless a setting overrides it. */
export function confirmationsOf(chainId: number): number {
  return findChain(chainId)?.confirmations ?? DEFAULT_CONFIRMATIONS;
}
