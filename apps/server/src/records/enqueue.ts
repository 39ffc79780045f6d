import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { enqueue } from "../jobs/store.ts";
import { addressesOf, currentWallet } from "./store.ts";

/** Kind of the job that brings a wallet's record on a chain to what the tables say. */
export const RECORD_JOB = "wallet.record";

export interface RecordJob {
  chainId: number;
  address: Hex;
}

/**
 * Enqueues what has to be written of a wallet on the chains. One job for each change: a running job may have read the
 * tables before it. A job with nothing to do ends at once.
 */
export async function enqueueRecords(
  tx: Orm,
  { chainIds, address, runAt = Date.now() }: { chainIds: readonly number[]; address: Hex; runAt?: number | undefined },
): Promise<void> {
  for (const chainId of chainIds) {
    const payload: RecordJob = { chainId, address };
    await enqueue(tx, { kind: RECORD_JOB, payload, runAt });
  }
}

/** The identity of an account was decided anew: its current wallet is bound, renewed or revoked by it. */
export async function enqueueCurrentRecord(
  tx: Orm,
  { chainIds, accountId, runAt }: { chainIds: readonly number[]; accountId: string; runAt?: number | undefined },
): Promise<void> {
  const wallet = await currentWallet(tx, accountId);
  if (wallet !== null) await enqueueRecords(tx, { chainIds, address: wallet.address, runAt });
}

/** An account is about to be deleted: what its wallets hold stays theirs, and they may only leave. */
export async function enqueueAllRecords(tx: Orm, chainIds: readonly number[], accountId: string): Promise<void> {
  for (const address of await addressesOf(tx, accountId)) await enqueueRecords(tx, { chainIds, address });
}
