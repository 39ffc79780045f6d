import { and, desc, eq, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { vaultState } from "../indexer/schema.ts";
import type { Product, VaultState } from "../indexer/state.ts";

/** A place in the history of a chain: right after the event of this log. */
export interface Place {
  time: number;
  block: number;
  logIndex: number;
}

/** The vault right after each of these events, in their order. */
export async function vaultAfter(tx: Orm, of: Product, places: readonly Place[]): Promise<VaultState[]> {
  if (places.length === 0) return [];
  const list = (part: (place: Place) => number) => `{${places.map(part).join(",")}}`;
  const asked = tx
    .select({
      ...{ number: sql<string>`number`.as("number"), time: sql`at_time`.as("at_time") },
      ...{ block: sql`at_block`.as("at_block"), logIndex: sql`at_log`.as("at_log") },
    })
    .from(
      sql`unnest(${list((place) => place.time)}::bigint[], ${list((place) => place.block)}::bigint[], ${list((place) => place.logIndex)}::integer[])
        with ordinality as places(at_time, at_block, at_log, number)`,
    )
    .as("asked");
  const after = tx
    .select()
    .from(vaultState)
    .where(
      and(
        eq(vaultState.chainId, of.chainId),
        eq(vaultState.product, of.address),
        sql`(${vaultState.time}, ${vaultState.block}, ${vaultState.logIndex}) <= (asked.at_time, asked.at_block, asked.at_log)`,
      ),
    )
    .orderBy(desc(vaultState.time), desc(vaultState.block), desc(vaultState.logIndex))
    .limit(1)
    .as("vault");
  const rows = await tx.select().from(asked).innerJoinLateral(after, sql`true`).orderBy(sql`asked.number`);
  return rows.map(({ vault }) => vault);
}
