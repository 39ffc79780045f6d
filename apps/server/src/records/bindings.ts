import type { WalletBinding } from "@aqua/sdk/api/auth";
import { and, eq, ne } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import type { RecordJob } from "./enqueue.ts";
import { walletBinding } from "./schema.ts";

/**
 * Shows that the record of a wallet waits on these chains, for the identity check or for its turn. A transaction under
 * way stays recorded, because it will change the record in any case.
 */
export async function setWaiting(tx: Orm, chainIds: readonly number[], address: Hex): Promise<void> {
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

/** Shows that the failed records of a wallet wait for another attempt, because the wallet signed again. */
export async function setRetrying(tx: Orm, address: Hex): Promise<void> {
  await tx
    .update(walletBinding)
    .set({ state: "waiting", hash: null, reason: null, updateTime: Date.now() })
    .where(and(eq(walletBinding.address, address), eq(walletBinding.state, "failed")));
}

export async function upsertBinding(
  orm: Orm,
  { chainId, address }: RecordJob,
  {
    state,
    hash = null,
    reason = null,
  }: Pick<WalletBinding, "state"> & Partial<Pick<WalletBinding, "reason">> & { hash?: Hex | null },
): Promise<void> {
  const values = { state, hash, reason, updateTime: Date.now() };
  await orm
    .insert(walletBinding)
    .values({ chainId, address, ...values })
    .onConflictDoUpdate({ target: [walletBinding.chainId, walletBinding.address], set: values });
}

/** True if each of these chains has the record of the wallet. False without chains: then none is written here. */
export async function isRecorded(orm: Orm, chainIds: readonly number[], address: Hex): Promise<boolean> {
  const bindings = await Promise.all(chainIds.map((chainId) => readBinding(orm, { chainId, address })));
  return bindings.length > 0 && bindings.every((binding) => binding?.state === "bound");
}

export async function readBinding(orm: Orm, { chainId, address }: RecordJob) {
  const [row] = await orm
    .select()
    .from(walletBinding)
    .where(and(eq(walletBinding.chainId, chainId), eq(walletBinding.address, address)));
  return row ?? null;
}
