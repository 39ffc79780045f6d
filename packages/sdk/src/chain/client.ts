import type { Chain, PublicClient, Transport } from "viem";

/** Reads one chain. Any viem client with the public actions will do. */
export type ChainClient = PublicClient<Transport, Chain | undefined>;
