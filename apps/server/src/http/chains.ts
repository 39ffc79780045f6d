import type { Deployment } from "@aqua/sdk/deployment";
import type { IndexerStatus } from "../indexer/indexer.ts";

/** A chain this instance knows: its nodes, and the state of its index. */
export interface ServedChain {
  chainId: number;
  rpcUrls: readonly string[];
  /** Counts a call of a visitor that this node did not answer. */
  nodeFailed?: (url: string) => void;
  /** Null when only the node is offered, because the chain has none of our contracts. */
  deployment: Deployment | null;
  status: () => IndexerStatus | null;
  /** Whether our attester lacks gas for its transactions; absent when it sends none. */
  attesterOutOfGas?: () => boolean;
  /** State of this server's anchoring; absent when it anchors nothing. */
  anchoring?: { outOfGas: boolean; stopped: ReadonlyMap<string, string> };
}
