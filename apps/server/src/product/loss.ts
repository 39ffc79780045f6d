import { and, desc, eq, gte, lt, lte, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Orm } from "../db/database.ts";
import { report, vaultState } from "../indexer/schema.ts";
import { poolAt } from "../indexer/world.ts";
import type { CurrentProduct } from "./store.ts";

/** How long the contract keeps deposits closed after a loss that lowered the price, in seconds. */
const LOSS_PAUSE = 86_400;

/**
 * Until when (Unix seconds) a loss keeps deposits closed at `now`; null when none does. Only a loss that the income still
 * streaming did not cover counts: it left less settled than there was just before.
 */
export async function depositsClosedUntil(
  tx: Orm,
  { product }: Pick<CurrentProduct, "product">,
  now: number,
): Promise<number | null> {
  const after = alias(vaultState, "after");
  const before = tx
    .select()
    .from(vaultState)
    .where(
      and(
        eq(vaultState.chainId, report.chainId),
        eq(vaultState.product, report.product),
        or(
          lt(vaultState.block, report.block),
          and(eq(vaultState.block, report.block), lt(vaultState.logIndex, report.logIndex)),
        ),
      ),
    )
    .orderBy(desc(vaultState.block), desc(vaultState.logIndex))
    .limit(1)
    .as("before");
  const losses = await tx
    .select()
    .from(report)
    .innerJoin(
      after,
      and(
        eq(after.chainId, report.chainId),
        eq(after.product, report.product),
        eq(after.block, report.block),
        eq(after.logIndex, report.logIndex),
      ),
    )
    .innerJoinLateral(before, sql`true`)
    .where(
      and(
        eq(report.chainId, product.chainId),
        eq(report.product, product.address),
        gte(report.time, now - LOSS_PAUSE + 1),
        lte(report.time, now),
        lt(report.delta, 0n),
      ),
    )
    .orderBy(desc(report.time), desc(report.block), desc(report.logIndex));
  const lowered = losses.find((loss) => loss.after.settled < poolAt(loss.before, loss.report.time).totalAssets);
  return lowered ? lowered.report.time + LOSS_PAUSE : null;
}
