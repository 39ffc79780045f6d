import { and, asc, count, desc, eq, inArray, max, ne, or, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { privilegedAct } from "../indexer/schema.ts";
import type { PrivilegedAct, Product } from "../indexer/world.ts";

/** All acts that ever changed the roles of a chain, oldest first. */
export function roleActs(tx: Orm, chainId: number): Promise<PrivilegedAct[]> {
  return tx
    .select()
    .from(privilegedAct)
    .where(
      and(eq(privilegedAct.chainId, chainId), inArray(privilegedAct.name, ["RoleGranted", "RoleRevoked", "RoleLabel"])),
    )
    .orderBy(asc(privilegedAct.block), asc(privilegedAct.logIndex));
}

/** The time of the last evidence renewal of each product of a chain in Unix seconds, by address. */
export async function evidenceRenewals(tx: Orm, chainId: number): Promise<Map<Hex, number>> {
  const rows = await tx
    .select({ contract: privilegedAct.contract, time: max(privilegedAct.time) })
    .from(privilegedAct)
    .where(
      and(eq(privilegedAct.chainId, chainId), inArray(privilegedAct.name, ["EvidenceRenewed", "TermEvidenceRenewed"])),
    )
    .groupBy(privilegedAct.contract);
  return new Map(rows.map(({ contract, time }) => [contract, Number(time)]));
}

const target = sql<string>`${privilegedAct.args}->>'target'`;
const operation = sql<string>`${privilegedAct.args}->>'operationId'`;

/**
 * Excludes two kinds of acts. A delayed call is already an act by its own event, and a switch is made by the wallet's
 * owner alone.
 */
const listed = and(
  ne(privilegedAct.name, "OperationExecuted"),
  or(ne(privilegedAct.name, "Retired"), eq(sql`${privilegedAct.args}->>'recovered'`, "true")),
);

/**
 * Privileged acts, newest first. `of` selects the acts of a product's contract and those that name or target the
 * product.
 */
export async function actsOf(
  tx: Orm,
  { chainIds, of, page }: { chainIds: readonly number[]; of: Product | null; page: { limit: number; offset: number } },
): Promise<{ rows: PrivilegedAct[]; total: number }> {
  const where = and(
    inArray(privilegedAct.chainId, of ? [of.chainId] : chainIds),
    of
      ? or(
          eq(privilegedAct.contract, of.address),
          eq(sql`${privilegedAct.args}->>'product'`, of.address),
          eq(target, of.address),
          // A cancellation names only the operation.
          inArray(operation, tx.select({ operation }).from(privilegedAct).where(eq(target, of.address))),
        )
      : undefined,
    listed,
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
