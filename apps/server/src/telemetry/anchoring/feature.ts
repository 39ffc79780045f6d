import { getAddress, type PublicClient } from "viem";
import { createSender } from "../../chain/sender.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { Feature } from "../../feature.ts";
import type { IndexedChain } from "../../indexer/stamp.ts";
import { ANCHOR_JOB, type AnchorChain, type AnchoringState, createAnchorJob, scheduleAnchoring } from "./job.ts";
import { anchorRoutes } from "./routes.ts";
import { createAnchorService } from "./service.ts";

interface Chain extends IndexedChain {
  client: PublicClient;
  /** Set if this process anchors batches. */
  anchoring?: AnchoringState;
}

export interface AnchoringParts {
  db: Database;
  chains: readonly Chain[];
  config: Pick<Config, "anchoring"> & { rateLimits: Pick<Config["rateLimits"], "api"> };
  log: { error(fields: object, message: string): void };
}

/**
 * Creates the feature that proves readings against the chain, and the job that anchors batches on chains with a key.
 */
export function createAnchoringFeature({ db, chains, config, log }: AnchoringParts): Feature {
  const { key } = config.anchoring;
  const anchorChains: AnchorChain[] = chains.flatMap((chain) => {
    const contract = chain.deployment?.telemetry_anchor;
    if (key === null || contract === undefined) return [];
    const { chainId, client } = chain;
    const state: AnchoringState = { outOfGas: false, stopped: new Map() };
    chain.anchoring = state;
    return { chainId, client, contract: getAddress(contract), anchorer: createSender(client, key), state };
  });
  const job = createAnchorJob({ db, chains: anchorChains, log, settings: config.anchoring });
  return {
    // The limit is lower because each proof may have to build a tree.
    routes: [anchorRoutes(createAnchorService({ db, chains }), Math.ceil(config.rateLimits.api / 5))],
    jobs: anchorChains.length === 0 ? {} : { [ANCHOR_JOB]: job },
    start: () => scheduleAnchoring(db.orm, anchorChains),
  };
}
