import type { AccountInfo } from "@aqua/sdk/api/auth";
import { eq } from "drizzle-orm";
import { account } from "../account/schema.ts";
import type { Orm } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import { identityState } from "../identity/status.ts";
import { linkedWallets } from "../records/store.ts";

/** The account as its owner sees it. @throws ApiError token_error if it was deleted meanwhile */
export async function readInfo(orm: Orm, accountId: string): Promise<AccountInfo> {
  const [row] = await orm.select().from(account).where(eq(account.id, accountId));
  if (row === undefined) throw new ApiError("token_error", "This account is no longer there");
  const { status, decisive } = await identityState(orm, accountId);
  return {
    email: row.email,
    // The document's country overrides the choice at sign-up, even after the verification has expired.
    country: status === "verified" || status === "expired" ? (decisive?.country ?? row.country) : row.country,
    language: row.language,
    identity_status: status,
    ...(status === "rejected" && decisive?.reason ? { identity_reason: decisive.reason } : {}),
    create_time: row.createTime,
    wallets: await linkedWallets(orm, accountId),
  };
}
