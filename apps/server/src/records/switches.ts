import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { PendingSwitch } from "@aqua/sdk/api/security";
import { and, asc, eq, gt, gte, inArray, isNull, or, sql } from "drizzle-orm";
import { getAddress, type Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { accountWallet, walletSwitch } from "./schema.ts";
import { clearCurrentWallet, deleteWallet } from "./store.ts";

export type WalletSwitch = typeof walletSwitch.$inferSelect;

const isPending = (now: number) => and(isNull(walletSwitch.stopTime), gt(walletSwitch.effectiveTime, now));

/**
 * The switches of the account that can still be stopped, oldest first. Each begins with the wallet with which the
 * previous one ended.
 */
export async function pendingSwitchesOf(orm: Orm, accountId: string, now = Date.now()): Promise<WalletSwitch[]> {
  return orm
    .select()
    .from(walletSwitch)
    .where(and(eq(walletSwitch.accountId, accountId), isPending(now)))
    .orderBy(asc(walletSwitch.createTime));
}

/**
 * The pending switches of the account combined into one: the newest, starting from the wallet before the first. Only
 * that wallet can consent, because the wallets in between were added without its consent.
 */
export async function pendingSwitchOf(orm: Orm, accountId: string): Promise<WalletSwitch | null> {
  const pending = await pendingSwitchesOf(orm, accountId);
  const [first, last] = [pending[0], pending.at(-1)];
  return first === undefined || last === undefined ? null : { ...last, from: first.from };
}

/** The text that the former wallet signs to make the switch effective at once. */
export function consentText({ id, from, to }: Pick<WalletSwitch, "id" | "from" | "to">, publicUrl: string): string {
  const { host } = new URL(publicUrl);
  return `${host}: the wallet ${getAddress(to)} takes the place of this wallet, ${getAddress(from)}, in my Aqua account. The chain may record it now, without waiting. This moves nothing by itself.\n\nSwitch: ${id}`;
}

export async function shownSwitch(orm: Orm, accountId: string, publicUrl: string): Promise<PendingSwitch | null> {
  const found = await pendingSwitchOf(orm, accountId);
  if (found === null) return null;
  return {
    id: found.id,
    from: getAddress(found.from),
    to: getAddress(found.to),
    create_time: found.createTime,
    effective_time: found.effectiveTime,
    consent: consentText(found, publicUrl),
  };
}

/**
 * The time until which the attester writes nothing about this wallet, in Unix milliseconds; null if it may write. An
 * account's current wallet waits for every switch of the account, so that none is bound while a switch can still be
 * stopped.
 */
export async function heldUntil(orm: Orm, address: Hex, now = Date.now()): Promise<number | null> {
  const itsAccount = orm
    .select({ id: accountWallet.accountId })
    .from(accountWallet)
    .where(and(eq(accountWallet.address, address), eq(accountWallet.current, true)));
  const [row] = await orm
    .select({ until: sql<string | null>`max(${walletSwitch.effectiveTime})` })
    .from(walletSwitch)
    .where(
      and(
        isPending(now),
        or(eq(walletSwitch.from, address), eq(walletSwitch.to, address), inArray(walletSwitch.accountId, itsAccount)),
      ),
    );
  return row === undefined || row.until === null ? null : Number(row.until);
}

/** Stores a switch. Returns the token of the link that stops it. */
export async function insertSwitch(
  tx: Orm,
  entry: Pick<WalletSwitch, "accountId" | "from" | "to" | "linked" | "createTime" | "effectiveTime">,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await tx.insert(walletSwitch).values({ ...entry, id: randomUUID(), tokenHash: hashOf(token) });
  return token;
}

/** The switch of a mail's link, pending or not. */
export async function switchOfToken(orm: Orm, token: string): Promise<WalletSwitch | null> {
  const [row] = await orm
    .select()
    .from(walletSwitch)
    .where(eq(walletSwitch.tokenHash, hashOf(token)));
  return row ?? null;
}

/**
 * Reverts a pending switch and all later ones, including those that no longer wait. The account then uses `from` again.
 * The caller must hold a lock on the account's row. Returns the wallets whose records must be checked, or null if it is
 * too late.
 */
export async function stopSwitch(tx: Orm, { id, accountId, from, createTime }: WalletSwitch): Promise<Hex[] | null> {
  const pending = await pendingSwitchesOf(tx, accountId);
  if (!pending.some((one) => one.id === id)) return null;
  const stopped = await endSwitches(tx, accountId, createTime);
  await clearCurrentWallet(tx, accountId);
  for (const { to, linked } of stopped) {
    // A wallet that was linked by the switch never belonged to anybody here.
    if (!linked) continue;
    await deleteWallet(tx, to);
  }
  await tx.update(accountWallet).set({ current: true, unlinkTime: null }).where(eq(accountWallet.address, from));
  return [...new Set([from, ...stopped.map(({ to }) => to)])];
}

/**
 * Makes the account's pending switches effective, because the wallet before the first consented. The caller must hold a
 * lock on the account's row.
 */
export async function releaseSwitches(tx: Orm, accountId: string, now = Date.now()): Promise<void> {
  await tx
    .update(walletSwitch)
    .set({ effectiveTime: now })
    .where(and(eq(walletSwitch.accountId, accountId), isPending(now)));
}

/**
 * Marks the pending switch from the wallet `to` and all later ones as stopped, because the account itself returned to
 * that wallet. Returns false if there is no such switch.
 */
export async function dropSwitches(tx: Orm, accountId: string, to: Hex): Promise<boolean> {
  const left = (await pendingSwitchesOf(tx, accountId)).find(({ from }) => from === to);
  if (left === undefined) return false;
  await endSwitches(tx, accountId, left.createTime);
  return true;
}

function endSwitches(tx: Orm, accountId: string, since: number): Promise<WalletSwitch[]> {
  return tx
    .update(walletSwitch)
    .set({ stopTime: Date.now() })
    .where(
      and(eq(walletSwitch.accountId, accountId), gte(walletSwitch.createTime, since), isNull(walletSwitch.stopTime)),
    )
    .returning();
}

/** A plain hash suffices, because tokens are random and long. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
