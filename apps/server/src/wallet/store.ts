import { eq } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { accountWallet } from "./schema.ts";

/** Whether the wallet is linked to an account. `address` in any letter case. */
export async function isLinked(orm: Orm, address: string): Promise<boolean> {
  const [row] = await orm
    .select({ accountId: accountWallet.accountId })
    .from(accountWallet)
    .where(eq(accountWallet.address, address.toLowerCase() as `0x${string}`));
  return row !== undefined;
}
