import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { enqueue } from "../jobs/store.ts";
import { addressesOf, currentWallet } from "./store.ts";

/** Kind of the job that updates a wallet's record on a chain to match the tables. */
export const RECORD_JOB = "wallet.record";

export interface RecordJob {
  chainId: number;
  address: Hex;
}

/**
 * Enqueues jobs that write the wallet's records on the chains. Each change has its own job, because a running job may
 * have read the tables before the change. A job without work ends at once.
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

/**
 * Enqueues the record of the account's current wallet after a new decision about its identity. The wallet is then
 * bound, renewed or revoked.
 */
export async function enqueueCurrentRecord(
  tx: Orm,
  { chainIds, accountId, runAt }: { chainIds: readonly number[]; accountId: string; runAt?: number | undefined },
): Promise<void> {
  const wallet = await currentWallet(tx, accountId);
  if (wallet !== null) await enqueueRecords(tx, { chainIds, address: wallet.address, runAt });
}

/**
 * Enqueues the records of all wallets before an account is deleted. The wallets retain their holdings but may only
 * exit.
 */
export async function enqueueAllRecords(tx: Orm, chainIds: readonly number[], accountId: string): Promise<void> {
  for (const address of await addressesOf(tx, accountId)) await enqueueRecords(tx, { chainIds, address });
}
