import { and, asc, countDistinct, desc, eq, gte, inArray, lt, lte, max, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { queuePlace } from "../indexer/schema.ts";

export type QueuePlace = typeof queuePlace.$inferSelect;

/** Places in the lines of a chain's queues that belong to the wallets now, those that are fully processed among them. */
export async function placesOf(tx: Orm, chainId: number, wallets: readonly Hex[]): Promise<QueuePlace[]> {
  const theirs = tx
    .selectDistinct({ product: queuePlace.product, start: queuePlace.start })
    .from(queuePlace)
    .where(and(inArray(queuePlace.wallet, [...wallets]), eq(queuePlace.chainId, chainId)))
    .as("theirs");
  const latest = tx
    .select()
    .from(queuePlace)
    .where(
      and(eq(queuePlace.chainId, chainId), eq(queuePlace.product, theirs.product), eq(queuePlace.start, theirs.start)),
    )
    .orderBy(desc(queuePlace.block), desc(queuePlace.logIndex))
    .limit(1)
    .as("latest");
  const rows = await tx
    .select()
    .from(theirs)
    .innerJoinLateral(latest, sql`true`)
    .where(inArray(latest.wallet, [...wallets]))
    .orderBy(asc(latest.requestedAt), asc(latest.start));
  return rows.map((row) => row.latest);
}

/** How many places stand in a line between what is processed and `start`. */
export async function placesBefore(
  tx: Orm,
  chainId: number,
  product: Hex,
  processed: bigint,
  start: bigint,
): Promise<number> {
  const line = and(eq(queuePlace.chainId, chainId), eq(queuePlace.product, product));
  // The place the head of the line lies in may begin before it.
  const [head] = await tx
    .select({ start: max(queuePlace.start) })
    .from(queuePlace)
    .where(and(line, lte(queuePlace.start, processed)));
  const [counted] = await tx
    .select({ places: countDistinct(queuePlace.start) })
    .from(queuePlace)
    .where(and(line, gte(queuePlace.start, head?.start ?? 0n), lt(queuePlace.start, start)));
  return counted?.places ?? 0;
}
