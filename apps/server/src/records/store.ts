import type { LinkedWallet } from "@aqua/sdk/api/auth";
import { and, asc, desc, eq, inArray, isNotNull, ne, or } from "drizzle-orm";
import { getAddress, type Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { accountWallet, walletBinding } from "./schema.ts";

export type AccountWallet = typeof accountWallet.$inferSelect;

/** Converts an address to the stored form, which is lower case. */
export const stored = (address: string) => address.toLowerCase() as Hex;

/** True if an account logs in with the wallet. `address` in any letter case. */
export async function isLinked(orm: Orm, address: string): Promise<boolean> {
  const wallet = await walletOf(orm, address);
  return wallet?.current === true;
}

export async function walletOf(orm: Orm, address: string): Promise<AccountWallet | null> {
  const [row] = await orm
    .select()
    .from(accountWallet)
    .where(eq(accountWallet.address, stored(address)));
  return row ?? null;
}

export async function currentWallet(orm: Orm, accountId: string): Promise<AccountWallet | null> {
  const [row] = await orm
    .select()
    .from(accountWallet)
    .where(and(eq(accountWallet.accountId, accountId), eq(accountWallet.current, true)));
  return row ?? null;
}

/** Addresses of all wallets of an account, including former ones. */
export async function addressesOf(orm: Orm, accountId: string): Promise<Hex[]> {
  const rows = await orm
    .select({ address: accountWallet.address })
    .from(accountWallet)
    .where(eq(accountWallet.accountId, accountId));
  return rows.map(({ address }) => address);
}

/** The wallets of an account as account/info shows them: the current one first, then former ones, newest first. */
export async function linkedWallets(orm: Orm, accountId: string): Promise<LinkedWallet[]> {
  const wallets = await orm
    .select()
    .from(accountWallet)
    .where(eq(accountWallet.accountId, accountId))
    .orderBy(desc(accountWallet.current), desc(accountWallet.createTime));
  if (wallets.length === 0) return [];
  const addresses = wallets.map(({ address }) => address);
  const bindings = await orm
    .select()
    .from(walletBinding)
    .where(inArray(walletBinding.address, addresses))
    .orderBy(asc(walletBinding.chainId));
  return wallets.map(({ address, createTime, current }) => ({
    address: getAddress(address),
    create_time: createTime,
    current,
    bindings: bindings
      .filter((binding) => binding.address === address)
      .map(({ chainId, state, hash, reason }) => ({ chain_id: chainId, state, hash, reason })),
  }));
}

/** The wallet that the owner unlinked last. Null if there is none. */
export async function unlinkedWallet(orm: Orm, accountId: string): Promise<AccountWallet | null> {
  const [row] = await orm
    .select()
    .from(accountWallet)
    .where(and(eq(accountWallet.accountId, accountId), isNotNull(accountWallet.unlinkTime)))
    .orderBy(desc(accountWallet.unlinkTime))
    .limit(1);
  return row ?? null;
}

/** Makes the wallet the current one of its account. Returns false if it belongs to another account. */
export async function setCurrentWallet(
  tx: Orm,
  wallet: Omit<AccountWallet, "current" | "unlinkTime">,
): Promise<boolean> {
  const { message, signature, chainId } = wallet;
  const rows = await tx
    .insert(accountWallet)
    .values({ ...wallet, current: true })
    .onConflictDoUpdate({
      target: accountWallet.address,
      set: { current: true, unlinkTime: null, message, signature, chainId },
      setWhere: eq(accountWallet.accountId, wallet.accountId),
    })
    .returning({ address: accountWallet.address });
  return rows.length > 0;
}

export async function setFormerWallet(tx: Orm, address: Hex): Promise<void> {
  await tx.update(accountWallet).set({ current: false }).where(eq(accountWallet.address, address));
}

/** Deletes the wallet from its account. Another account may then link it. */
export async function deleteWallet(tx: Orm, address: Hex): Promise<void> {
  await tx.delete(walletBinding).where(eq(walletBinding.address, address));
  await tx.delete(accountWallet).where(eq(accountWallet.address, address));
}

/**
 * Removes the wallet from its account. A wallet whose record was never sent to a chain is deleted, so that another
 * account may link it. Any other wallet stays as a former one, because the chain knows its owner.
 */
export async function unlinkWallet(tx: Orm, address: Hex): Promise<void> {
  const [recorded] = await tx
    .select({ state: walletBinding.state })
    .from(walletBinding)
    .where(
      and(eq(walletBinding.address, address), or(ne(walletBinding.state, "waiting"), isNotNull(walletBinding.hash))),
    )
    .limit(1);
  if (recorded === undefined) return deleteWallet(tx, address);
  const ended = { current: false, unlinkTime: Date.now() };
  await tx.update(accountWallet).set(ended).where(eq(accountWallet.address, address));
}

export async function clearCurrentWallet(tx: Orm, accountId: string): Promise<void> {
  await tx.update(accountWallet).set({ current: false }).where(eq(accountWallet.accountId, accountId));
}
