import { and, asc, count, desc, eq, inArray, or, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { privilegedAct } from "../indexer/schema.ts";
import type { PrivilegedAct, Product } from "../indexer/world.ts";

/** What was ever done to the roles of a chain, oldest first. */
export function roleActs(tx: Orm, chainId: number): Promise<PrivilegedAct[]> {
  return tx
    .select()
    .from(privilegedAct)
    .where(
      and(eq(privilegedAct.chainId, chainId), inArray(privilegedAct.name, ["RoleGranted", "RoleRevoked", "RoleLabel"])),
    )
    .orderBy(asc(privilegedAct.block), asc(privilegedAct.logIndex));
}

/** Privileged acts, newest first; with `of` those that a product emitted, or the registry about it. */
export async function actsOf(
  tx: Orm,
  { chainIds, of, page }: { chainIds: readonly number[]; of: Product | null; page: { limit: number; offset: number } },
): Promise<{ rows: PrivilegedAct[]; total: number }> {
  const where = and(
    inArray(privilegedAct.chainId, of ? [of.chainId] : chainIds),
    of ? or(eq(privilegedAct.contract, of.address), eq(sql`${privilegedAct.args}->>'product'`, of.address)) : undefined,
  );
  const rows = await tx
    .select()
    .from(privilegedAct)
    .where(where)
    .orderBy(desc(privilegedAct.time), desc(privilegedAct.block), desc(privilegedAct.logIndex))
    .limit(page.limit)
    .offset(page.offset);
  const [counted] = await tx.select({ total: count() }).from(privilegedAct).where(where);
  return { rows, total: counted?.total ?? 0 };
}
