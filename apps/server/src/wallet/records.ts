import type { WalletBinding } from "@aqua/sdk/api/accounts";
import { and, eq, ne } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { enqueue } from "../jobs/store.ts";
import { walletBinding } from "./schema.ts";
import { addressesOf, currentWallet } from "./store.ts";

/** Kind of the job that brings a wallet's record on a chain to what the tables say. */
export const RECORD_JOB = "wallet.record";

export interface RecordJob {
  chainId: number;
  address: Hex;
}

/**
 * Shows that the record of a wallet waits on these chains: for the identity check, or for its turn. What is under way
 * stays known: it will change the record whatever is wanted now.
 */
export async function putWaiting(tx: Orm, chainIds: readonly number[], address: Hex): Promise<void> {
  for (const chainId of chainIds) {
    const values = { state: "waiting" as const, hash: null, reason: null, updateTime: Date.now() };
    await tx
      .insert(walletBinding)
      .values({ chainId, address, ...values })
      .onConflictDoUpdate({
        target: [walletBinding.chainId, walletBinding.address],
        set: values,
        setWhere: ne(walletBinding.state, "sent"),
      });
  }
}

export async function putBinding(
  orm: Orm,
  { chainId, address }: RecordJob,
  { state, hash = null, reason = null }: Pick<WalletBinding, "state"> & { hash?: Hex | null; reason?: string | null },
): Promise<void> {
  const values = { state, hash, reason, updateTime: Date.now() };
  await orm
    .insert(walletBinding)
    .values({ chainId, address, ...values })
    .onConflictDoUpdate({ target: [walletBinding.chainId, walletBinding.address], set: values });
}

export async function readBinding(orm: Orm, { chainId, address }: RecordJob) {
  const [row] = await orm
    .select()
    .from(walletBinding)
    .where(and(eq(walletBinding.chainId, chainId), eq(walletBinding.address, address)));
  return row ?? null;
}

/**
 * Takes on what the chains must hear of a wallet. One job for each change: a job that is under way may have read the
 * tables before it, so another must follow. What there is nothing to do for ends at once.
 */
export async function enqueueRecords(
  tx: Orm,
  chainIds: readonly number[],
  address: Hex,
  runAt = Date.now(),
): Promise<void> {
  for (const chainId of chainIds) {
    const payload: RecordJob = { chainId, address };
    await enqueue(tx, { kind: RECORD_JOB, payload, runAt });
  }
}

/** The identity of an account was decided anew: its current wallet is bound, renewed or revoked by it. */
export async function enqueueCurrentRecord(
  tx: Orm,
  chainIds: readonly number[],
  accountId: string,
  runAt?: number,
): Promise<void> {
  const wallet = await currentWallet(tx, accountId);
  if (wallet !== null) await enqueueRecords(tx, chainIds, wallet.address, runAt);
}

/** An account is about to be deleted: what its wallets hold stays theirs, and they may only leave. */
export async function enqueueAllRecords(tx: Orm, chainIds: readonly number[], accountId: string): Promise<void> {
  for (const address of await addressesOf(tx, accountId)) await enqueueRecords(tx, chainIds, address);
}
