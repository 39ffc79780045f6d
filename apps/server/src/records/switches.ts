import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { PendingSwitch } from "@aqua/sdk/api/security";
import { and, desc, eq, gt, gte, isNull, or, sql } from "drizzle-orm";
import { getAddress, type Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { accountWallet, walletBinding, walletSwitch } from "./schema.ts";
import { setFormerWallet } from "./store.ts";

export type WalletSwitch = typeof walletSwitch.$inferSelect;

const isPending = (now: number) => and(isNull(walletSwitch.stopTime), gt(walletSwitch.effectiveTime, now));

/** The newest switch of the account that can still be stopped. */
export async function pendingSwitchOf(orm: Orm, accountId: string, now = Date.now()): Promise<WalletSwitch | null> {
  const [row] = await orm
    .select()
    .from(walletSwitch)
    .where(and(eq(walletSwitch.accountId, accountId), isPending(now)))
    .orderBy(desc(walletSwitch.createTime))
    .limit(1);
  return row ?? null;
}

/** What the former wallet signs so that the switch does not wait. */
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

/** Until when the attester writes nothing of this wallet, Unix milliseconds; null: it may write. */
export async function heldUntil(orm: Orm, address: Hex, now = Date.now()): Promise<number | null> {
  const [row] = await orm
    .select({ until: sql<string | null>`max(${walletSwitch.effectiveTime})` })
    .from(walletSwitch)
    .where(and(isPending(now), or(eq(walletSwitch.from, address), eq(walletSwitch.to, address))));
  return row === undefined || row.until === null ? null : Number(row.until);
}

/** Writes down a switch; answers the token of the link that stops it. */
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
 * Takes back a pending switch and those after it: the account uses `from` again. Hold the account's row. Answers the
 * wallets whose records are to be looked at; null when it is too late.
 */
export async function stopSwitch(tx: Orm, { accountId, from, createTime }: WalletSwitch): Promise<Hex[] | null> {
  const now = Date.now();
  const stopped = await tx
    .update(walletSwitch)
    .set({ stopTime: now })
    .where(and(eq(walletSwitch.accountId, accountId), gte(walletSwitch.createTime, createTime), isPending(now)))
    .returning();
  if (!stopped.some((one) => one.createTime === createTime)) return null;
  for (const { to, linked } of stopped) {
    await setFormerWallet(tx, to);
    // A wallet that came with the switch was never anybody's wallet here.
    if (!linked) continue;
    await tx.delete(walletBinding).where(eq(walletBinding.address, to));
    await tx.delete(accountWallet).where(eq(accountWallet.address, to));
  }
  await tx.update(accountWallet).set({ current: true }).where(eq(accountWallet.address, from));
  return [...new Set([from, ...stopped.map(({ to }) => to)])];
}

/** The former wallet agreed: the switch waits no more. False when it was not pending any more. */
export async function releaseSwitch(tx: Orm, id: string, now = Date.now()): Promise<boolean> {
  const rows = await tx
    .update(walletSwitch)
    .set({ effectiveTime: now })
    .where(and(eq(walletSwitch.id, id), isPending(now)))
    .returning({ id: walletSwitch.id });
  return rows.length > 0;
}

/** Marks a switch as stopped where the account went back to its former wallet by itself. */
export async function dropSwitch(tx: Orm, id: string): Promise<void> {
  await tx.update(walletSwitch).set({ stopTime: Date.now() }).where(eq(walletSwitch.id, id));
}

/** Tokens are random and long. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
