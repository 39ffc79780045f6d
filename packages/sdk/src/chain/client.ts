import type { Chain, PublicClient, Transport } from "viem";

/** Reads one chain. Any viem client with the public actions is suitable. */
export type ChainClient = PublicClient<Transport, Chain | undefined>;
