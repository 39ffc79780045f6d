import type { Hex, PublicClient } from "viem";
import { createSender } from "../chain/sender.ts";
import type { Config } from "../config.ts";
import type { Orm } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import type { IndexedChain } from "../indexer/stamp.ts";
import { enqueueAllRecords, RECORD_JOB } from "./enqueue.ts";
import { createRecordJob, type RecordChain, type RecordJobParts } from "./job.ts";
import { isRetired } from "./retired.ts";

interface Chain extends IndexedChain {
  client: PublicClient;
  /** Set if the attester writes records. */
  attesterOutOfGas?: () => boolean;
}

export interface RecordParts extends Omit<RecordJobParts, "chains"> {
  chains: readonly Chain[];
  config: Pick<Config, "attesterKey">;
}

export interface RecordFeature extends Feature {
  /** Chains that contain records of verified wallets, written with our attester key. */
  chainIds: readonly number[];
  /** True if the wallet has been replaced by another one on any of these chains. */
  isRetired(address: Hex): Promise<boolean>;
  /** Enqueues the records that these chains must contain before an account is deleted. */
  enqueueAll(tx: Orm, accountId: string): Promise<void>;
}

/** Provides the records of verified wallets on chain, and the job that writes them. */
export function createRecordFeature({ chains, config, ...parts }: RecordParts): RecordFeature {
  const served = recordChainsOf(config, chains);
  const chainIds = served.map(({ chainId }) => chainId);
  return {
    chainIds,
    isRetired: (address) => isRetired(served, address),
    enqueueAll: (tx, accountId) => enqueueAllRecords(tx, chainIds, accountId),
    jobs: { [RECORD_JOB]: createRecordJob({ ...parts, chains: served }) },
  };
}

function recordChainsOf({ attesterKey }: Pick<Config, "attesterKey">, chains: readonly Chain[]): RecordChain[] {
  if (attesterKey === null) return [];
  return chains.flatMap((chain) => {
    if (chain.deployment === null) return [];
    let out = false;
    chain.attesterOutOfGas = () => out;
    return {
      chainId: chain.chainId,
      client: chain.client,
      registry: chain.deployment.identity_registry as Hex,
      attester: createSender(chain.client, attesterKey),
      outOfGas: (is: boolean) => {
        out = is;
      },
    };
  });
}
