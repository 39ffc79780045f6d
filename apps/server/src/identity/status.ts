import type { IdentityStatus } from "@aqua/sdk/api/auth";
import { desc, eq } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { identityCase } from "./schema.ts";

/** The current result of an account's cases. */
export interface IdentityState {
  status: IdentityStatus;
  /** The case that determines the status. Null if nothing was ever submitted. */
  decisive: typeof identityCase.$inferSelect | null;
}

/**
 * The state of an account's identity check. A verification counts until it expires, even if something was submitted
 * since. After that the newest case counts.
 */
export async function identityState(orm: Orm, accountId: string, now = Date.now()): Promise<IdentityState> {
  const cases = await orm
    .select()
    .from(identityCase)
    .where(eq(identityCase.accountId, accountId))
    .orderBy(desc(identityCase.submitTime), desc(identityCase.id));
  const live = cases
    .filter(({ status, validUntil }) => status === "verified" && validUntil !== null && validUntil > now)
    .sort((a, b) => Number(b.validUntil) - Number(a.validUntil))[0];
  if (live !== undefined) return { status: "verified", decisive: live };
  const newest = cases[0];
  if (newest === undefined) return { status: "unverified", decisive: null };
  return { status: newest.status === "verified" ? "expired" : newest.status, decisive: newest };
}

/** The verification that a wallet's record on chain must contain. Null while the account is not verified. */
export async function verificationOf(
  orm: Orm,
  accountId: string,
): Promise<{ country: string; validUntil: number } | null> {
  const { status, decisive } = await identityState(orm, accountId);
  if (status !== "verified" || decisive === null) return null;
  return { country: decisive.country, validUntil: decisive.validUntil ?? 0 };
}
