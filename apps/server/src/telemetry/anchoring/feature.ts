import type { LossList } from "@aqua/sdk/api/telemetry";
import type { Logger } from "pino";
import { getAddress, type PublicClient } from "viem";
import { createSender } from "../../chain/sender.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { Feature } from "../../feature.ts";
import type { OpenFindings } from "../../findings/open.ts";
import type { IndexedChain } from "../../indexer/stamp.ts";
import type { ImportBatches } from "../import.ts";
import { openArchive } from "./archive.ts";
import { ANCHOR_JOB, type AnchorChain, type AnchoringState, createAnchorJob, scheduleAnchoring } from "./job.ts";
import { createRecovery } from "./recovery.ts";
import { anchorRoutes } from "./routes.ts";
import { createAnchorService } from "./service.ts";
import type { Trees } from "./trees.ts";

interface Chain extends IndexedChain {
  client: PublicClient;
  /** Set if this process anchors batches. */
  anchoring?: AnchoringState;
}

export interface AnchoringParts {
  db: Database;
  chains: readonly Chain[];
  importBatches: ImportBatches;
  trees: Trees;
  findings: OpenFindings;
  config: Pick<Config, "anchoring" | "batchArchive"> & { rateLimits: Pick<Config["rateLimits"], "api"> };
  log: Pick<Logger, "info" | "warn" | "error">;
}

/** Milliseconds between two looks for batches that the chain has and the database lacks. */
const LOOK_MS = 30_000;

/**
 * Creates the feature that proves readings against the chain, and the job that anchors batches on chains with a key.
 */
export function createAnchoringFeature(parts: AnchoringParts): Feature {
  const { db, chains, importBatches, trees, findings, config, log } = parts;
  const { key } = config.anchoring;
  const anchorChains: AnchorChain[] = chains.flatMap((chain) => {
    const contract = chain.deployment?.telemetry_anchor;
    if (key === null || contract === undefined) return [];
    const { chainId, client } = chain;
    const state: AnchoringState = { outOfGas: false, stopped: new Map() };
    chain.anchoring = state;
    return { chainId, client, contract: getAddress(contract), anchorer: createSender(client, key), state };
  });
  const recovery = createRecovery({ db, archive: openArchive(config.batchArchive), importBatches, log });
  const job = createAnchorJob({ db, chains: anchorChains, log, recovery, settings: config.anchoring });
  const service = createAnchorService({ db, chains, trees, findings });
  let missing: LossList["missing"] = [];
  let looking: NodeJS.Timeout | undefined;
  async function look(): Promise<void> {
    try {
      ({ missing } = await service.losses());
    } catch (error) {
      log.warn({ err: error }, "could not look for missing batches; it is tried again");
    }
  }
  return {
    // The limit is lower because each proof may have to build a tree.
    routes: [anchorRoutes(service, Math.ceil(config.rateLimits.api / 5))],
    jobs: anchorChains.length === 0 ? {} : { [ANCHOR_JOB]: job },
    // A server that neither anchors nor has any batch of a stream follows another instance's chain without its readings.
    troubles: () =>
      missing
        .filter(({ from }) => key !== null || from > 1)
        .map(({ short_id, from, to }) => ({
          part: `batches ${short_id}`,
          reason: "missing_batches",
          note: `The database lacks batches ${from} to ${to} of ${short_id}, which the chain holds. Their devices' readings may be refused as a gap until the files are imported or declared lost (aqua batches).`,
        })),
    async start() {
      await scheduleAnchoring(db.orm, anchorChains);
      await look();
      looking = setInterval(() => void look(), LOOK_MS);
    },
    stop: () => clearInterval(looking),
  };
}
