import type { Deployment } from "@aqua/sdk/deployment";
import type { IndexerStatus } from "../indexer/indexer.ts";

/** A chain this instance knows: its nodes, and what it indexes of it. */
export interface ServedChain {
  chainId: number;
  rpcUrls: readonly string[];
  /** Null where only the node is offered: no contracts of ours are known on it. */
  deployment: Deployment | null;
  status: () => IndexerStatus | null;
  /** Whether our attester cannot pay for what it sends here; absent where it writes nothing. */
  attesterOutOfGas?: () => boolean;
  /** State of the anchoring by this server; absent where it anchors nothing. */
  anchoring?: { outOfGas: boolean; stopped: ReadonlyMap<string, string> };
}
