import { and, eq, isNull, lte, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { idempotency } from "./schema.ts";

export interface Claim {
  keyHash: string;
  bodyHash: string;
  leaseUntil: number;
  expires: number;
}

/** Returns true for the caller that must do the work, because nobody did it or the previous caller is lost. */
export async function claim(orm: Orm, row: Claim, now: number): Promise<boolean> {
  const fresh = {
    bodyHash: row.bodyHash,
    leaseUntil: row.leaseUntil,
    expires: row.expires,
    status: null,
    answer: null,
  };
  const { expires, status, leaseUntil, bodyHash } = idempotency;
  const lost = sql`${status} is null and ${leaseUntil} <= ${now} and ${bodyHash} = excluded.body_hash`;
  const rows = await orm
    .insert(idempotency)
    .values(row)
    .onConflictDoUpdate({
      target: idempotency.keyHash,
      set: fresh,
      setWhere: sql`${expires} <= ${now} or (${lost})`,
    })
    .returning({ keyHash: idempotency.keyHash });
  return rows.length > 0;
}

export async function find(orm: Orm, keyHash: string) {
  const [row] = await orm.select().from(idempotency).where(eq(idempotency.keyHash, keyHash));
  return row ?? null;
}

/** Matches a claim that is still open. Another claim may have replaced one that took too long. */
const held = ({ keyHash, leaseUntil }: Claim) =>
  and(eq(idempotency.keyHash, keyHash), eq(idempotency.leaseUntil, leaseUntil), isNull(idempotency.status));

export async function keep(orm: Orm, claimed: Claim, answer: Uint8Array): Promise<void> {
  await orm.update(idempotency).set({ status: 200, answer }).where(held(claimed));
}

export async function release(orm: Orm, claimed: Claim): Promise<void> {
  await orm.delete(idempotency).where(held(claimed));
}

export async function deleteExpiredAnswers(orm: Orm, now: number): Promise<void> {
  await orm.delete(idempotency).where(lte(idempotency.expires, now));
}
