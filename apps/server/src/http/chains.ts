import type { Deployment } from "@aqua/sdk/deployment";

/** What an indexer says about itself. Times are Unix milliseconds. */
export interface IndexerStatus {
  head: { block: number; time: number } | null;
  cursor: { block: number; time: number } | null;
  state: "backfill" | "live" | "stale" | "reorg_too_deep" | "node_unavailable";
}

/** A chain this instance knows: its nodes, and what it indexes of it. */
export interface ServedChain {
  chainId: number;
  rpcUrls: readonly string[];
  /** Null where only the node is offered: no contracts of ours are known on it. */
  deployment: Deployment | null;
  status: () => IndexerStatus | null;
}
