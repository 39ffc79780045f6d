import type { CodePurpose } from "@aqua/sdk/api/auth";
import { and, desc, eq, gt, inArray, lte } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { account, emailCode, emailTicket } from "./schema.ts";

export type Account = typeof account.$inferSelect;
type Code = typeof emailCode.$inferSelect;

/** @param email trimmed and in lower case */
export async function findByEmail(orm: Orm, email: string): Promise<Account | null> {
  const [row] = await orm.select().from(account).where(eq(account.email, email));
  return row ?? null;
}

export async function findById(orm: Orm, id: string): Promise<Account | null> {
  const [row] = await orm.select().from(account).where(eq(account.id, id));
  return row ?? null;
}

/** Returns false when the e-mail already has an account. Waits for a concurrent transaction that is inserting one. */
export async function insertAccount(tx: Orm, row: Account): Promise<boolean> {
  const rows = await tx.insert(account).values(row).onConflictDoNothing({ target: account.email }).returning();
  return rows.length > 0;
}

/**
 * Locks the account until the transaction ends, so that values read from it stay valid. Returns false when the account
 * no longer exists.
 */
export async function lockAccount(tx: Orm, id: string): Promise<boolean> {
  const rows = await tx.select({ id: account.id }).from(account).where(eq(account.id, id)).for("update");
  return rows.length > 0;
}

/**
 * Locks the account until the transaction ends. Returns false when the account no longer exists or its password has
 * changed.
 */
export async function lockWithPassword(tx: Orm, id: string, passwordHash: string): Promise<boolean> {
  const rows = await tx
    .select({ id: account.id })
    .from(account)
    .where(and(eq(account.id, id), eq(account.passwordHash, passwordHash)))
    .for("update");
  return rows.length > 0;
}

export async function setPassword(tx: Orm, id: string, passwordHash: string): Promise<void> {
  await tx.update(account).set({ passwordHash }).where(eq(account.id, id));
}

/** Also deletes the account's sessions, wallets and identity cases. */
export async function removeAccount(tx: Orm, id: string): Promise<void> {
  await tx.delete(account).where(eq(account.id, id));
}

const codeOf = (emailHashes: string[], purpose: CodePurpose) =>
  and(inArray(emailCode.emailHash, emailHashes), eq(emailCode.purpose, purpose));

/** Returns the newest code stored under any of the e-mail's hashes. */
export async function findCode(orm: Orm, emailHashes: string[], purpose: CodePurpose): Promise<Code | null> {
  const [row] = await orm
    .select()
    .from(emailCode)
    .where(codeOf(emailHashes, purpose))
    .orderBy(desc(emailCode.createTime))
    .limit(1);
  return row ?? null;
}

/**
 * Replaces the last code stored under the e-mail's hashes. Returns false and leaves that code in place when it is
 * younger than `replaceable`.
 */
export async function upsertCode(
  tx: Orm,
  { emailHashes, ...code }: Omit<Code, "emailHash"> & { emailHashes: string[] },
  replaceable: number,
): Promise<boolean> {
  const [emailHash = "", ...others] = emailHashes;
  if (others.length > 0) {
    await tx.delete(emailCode).where(and(codeOf(others, code.purpose), lte(emailCode.createTime, replaceable)));
    if ((await findCode(tx, others, code.purpose)) !== null) return false;
  }
  const rows = await tx
    .insert(emailCode)
    .values({ emailHash, ...code })
    .onConflictDoUpdate({
      target: [emailCode.emailHash, emailCode.purpose],
      set: { codeHash: code.codeHash, createTime: code.createTime, expires: code.expires },
      setWhere: lte(emailCode.createTime, replaceable),
    })
    .returning({ purpose: emailCode.purpose });
  return rows.length > 0;
}

/** Removes the code with this hash. Returns false when it has been used or replaced. */
export async function removeCode(
  tx: Orm,
  { emailHash, purpose, codeHash }: Pick<Code, "emailHash" | "purpose" | "codeHash">,
): Promise<boolean> {
  const rows = await tx
    .delete(emailCode)
    .where(and(codeOf([emailHash], purpose), eq(emailCode.codeHash, codeHash)))
    .returning({ purpose: emailCode.purpose });
  return rows.length > 0;
}

export async function insertTicket(tx: Orm, ticket: typeof emailTicket.$inferInsert): Promise<void> {
  await tx.insert(emailTicket).values(ticket);
}

interface LiveTicket {
  ticketHash: string;
  emailHashes: string[];
  purpose: CodePurpose;
  now: number;
}

const ticketOf = ({ ticketHash, emailHashes, purpose, now }: LiveTicket) =>
  and(
    eq(emailTicket.ticketHash, ticketHash),
    inArray(emailTicket.emailHash, emailHashes),
    eq(emailTicket.purpose, purpose),
    gt(emailTicket.expires, now),
  );

export async function hasTicket(orm: Orm, ticket: LiveTicket): Promise<boolean> {
  const rows = await orm.select({ purpose: emailTicket.purpose }).from(emailTicket).where(ticketOf(ticket));
  return rows.length > 0;
}

/** Returns true for one caller only. */
export async function consumeTicket(tx: Orm, ticket: LiveTicket): Promise<boolean> {
  const rows = await tx.delete(emailTicket).where(ticketOf(ticket)).returning({ purpose: emailTicket.purpose });
  return rows.length > 0;
}

export async function removeCodesAndTickets(tx: Orm, emailHashes: string[]): Promise<void> {
  await tx.delete(emailCode).where(inArray(emailCode.emailHash, emailHashes));
  await tx.delete(emailTicket).where(inArray(emailTicket.emailHash, emailHashes));
}

export async function deleteExpiredCodes(orm: Orm, now: number): Promise<void> {
  await orm.delete(emailCode).where(lte(emailCode.expires, now));
  await orm.delete(emailTicket).where(lte(emailTicket.expires, now));
}
