import { and, eq, gt, isNull, lte } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { walletNonce } from "./schema.ts";

export type IssuedNonce = typeof walletNonce.$inferSelect;

export async function storeNonce(orm: Orm, issued: Omit<IssuedNonce, "usedTime">): Promise<void> {
  await orm.insert(walletNonce).values(issued);
}

export async function readNonce(orm: Orm, nonce: string): Promise<IssuedNonce | null> {
  const [row] = await orm.select().from(walletNonce).where(eq(walletNonce.nonce, nonce));
  return row ?? null;
}

/**
 * Uses the nonce up. Returns false if it was used before or has expired. Of several concurrent calls, one gets true.
 */
export async function useNonce(tx: Orm, nonce: string, now: number): Promise<boolean> {
  const rows = await tx
    .update(walletNonce)
    .set({ usedTime: now })
    .where(and(eq(walletNonce.nonce, nonce), isNull(walletNonce.usedTime), gt(walletNonce.expires, now)))
    .returning({ nonce: walletNonce.nonce });
  return rows.length > 0;
}

/** Removes messages that can no longer be used. */
export async function deleteExpiredNonces(orm: Orm, now = Date.now()): Promise<void> {
  await orm.delete(walletNonce).where(lte(walletNonce.expires, now));
}
