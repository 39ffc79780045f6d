import { and, asc, count, desc, eq, lte, sql } from "drizzle-orm";
import { account } from "../account/schema.ts";
import type { Orm } from "../db/database.ts";
import type { SealedColumn } from "../db/sealed.ts";
import type { Keys } from "../keys.ts";
import { identityCallback, identityCase, identityDocument } from "./schema.ts";

export type IdentityCase = typeof identityCase.$inferSelect;
export interface Person {
  name: string;
  /** YYYY-MM-DD */
  birth_date: string;
}
export interface IdentityDocument {
  /** The media type. */
  type: string;
  content: Uint8Array;
}

export const sealedPersons: SealedColumn = {
  purpose: "person",
  table: sql`identity_case`,
  id: sql`id`,
  sealed: sql`person`,
  context: sql`id`,
  set: (sealed) => sql`person = ${sealed}`,
};
export const sealedDocuments: SealedColumn = {
  purpose: "document",
  table: sql`identity_document`,
  id: sql`case_id`,
  sealed: sql`content`,
  context: sql`case_id`,
  set: (sealed) => sql`content = ${sealed}`,
};

export async function insertCase(
  tx: Orm,
  {
    keys,
    row,
    person,
    document: { type, content },
  }: {
    keys: Keys;
    row: Omit<IdentityCase, "person" | "decideTime" | "validUntil" | "reason">;
    person: Person;
    document: IdentityDocument;
  },
): Promise<void> {
  const sealed = keys.seal("person", Buffer.from(JSON.stringify(person)), row.id);
  await tx.insert(identityCase).values({ ...row, person: sealed });
  await tx
    .insert(identityDocument)
    .values({ caseId: row.id, type, size: content.length, content: keys.seal("document", content, row.id) });
}

/** @throws if it was sealed with none of the instance's keys */
export function personOf(keys: Keys, { id, person }: Pick<IdentityCase, "id" | "person">): Person {
  return JSON.parse(Buffer.from(keys.open("person", person, id)).toString()) as Person;
}

export async function readCase(orm: Orm, id: string): Promise<IdentityCase | null> {
  const [row] = await orm.select().from(identityCase).where(eq(identityCase.id, id));
  return row ?? null;
}

/** Null after the document was deleted. */
export async function readDocument(orm: Orm, keys: Keys, caseId: string): Promise<IdentityDocument | null> {
  const [row] = await orm.select().from(identityDocument).where(eq(identityDocument.caseId, caseId));
  return row === undefined ? null : { type: row.type, content: keys.open("document", row.content, caseId) };
}

export async function documentFacts(orm: Orm, caseId: string): Promise<{ type: string; size: number } | null> {
  const [row] = await orm
    .select({ type: identityDocument.type, size: identityDocument.size })
    .from(identityDocument)
    .where(eq(identityDocument.caseId, caseId));
  return row ?? null;
}

export async function deleteDocument(orm: Orm, caseId: string): Promise<void> {
  await orm.delete(identityDocument).where(eq(identityDocument.caseId, caseId));
}

/** True if a submission of the account waits for its decision. */
export async function hasPending(tx: Orm, accountId: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: identityCase.id })
    .from(identityCase)
    .where(and(eq(identityCase.accountId, accountId), eq(identityCase.status, "pending")))
    .limit(1);
  return row !== undefined;
}

export interface CaseOfAccount {
  row: IdentityCase;
  email: string;
}

/** Cases with a status: pending ones oldest first, others newest first. */
export async function listCases(
  orm: Orm,
  { status, page, pageSize }: { status: IdentityCase["status"]; page: number; pageSize: number },
): Promise<{ cases: CaseOfAccount[]; total: number }> {
  const order = status === "pending" ? asc(identityCase.submitTime) : desc(identityCase.submitTime);
  const cases = await orm
    .select({ row: identityCase, email: account.email })
    .from(identityCase)
    .innerJoin(account, eq(account.id, identityCase.accountId))
    .where(eq(identityCase.status, status))
    .orderBy(order, asc(identityCase.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const [all] = await orm.select({ total: count() }).from(identityCase).where(eq(identityCase.status, status));
  return { cases, total: all?.total ?? 0 };
}

/** Stores a callback. Returns false if it was already processed. */
export async function consumeCallback(tx: Orm, id: string, expires: number): Promise<boolean> {
  const rows = await tx.insert(identityCallback).values({ id, expires }).onConflictDoNothing().returning();
  return rows.length > 0;
}

export async function deleteExpiredCallbacks(orm: Orm, now = Date.now()): Promise<void> {
  await orm.delete(identityCallback).where(lte(identityCallback.expires, now));
}
