import { asc, eq } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import type { Keys } from "../keys.ts";
import { identityCase, identityDocument } from "./schema.ts";
import { personOf } from "./store.ts";

/** The submissions of an account for its owner's data export, oldest first. */
export async function exportCases(orm: Orm, keys: Keys, accountId: string): Promise<unknown[]> {
  const rows = await orm
    .select()
    .from(identityCase)
    .leftJoin(identityDocument, eq(identityDocument.caseId, identityCase.id))
    .where(eq(identityCase.accountId, accountId))
    .orderBy(asc(identityCase.submitTime));
  return rows.map(({ identity_case: one, identity_document: document }) => ({
    ...personOf(keys, one),
    provider: one.provider,
    status: one.status,
    country: one.country,
    document_kind: one.documentKind,
    submit_time: one.submitTime,
    decide_time: one.decideTime,
    valid_until: one.validUntil,
    reason: one.reason,
    document: document && { type: document.type, size: document.size },
  }));
}
