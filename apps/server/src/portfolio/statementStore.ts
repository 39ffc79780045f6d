import { and, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { termState, vaultState } from "../indexer/schema.ts";
import type { Product, TermState, VaultState } from "../indexer/state.ts";
import { newestFirst, ofProduct } from "../indexer/versions.ts";

/** A place in the history of a chain: right after the event of this log. */
export interface Place {
  time: number;
  block: number;
  logIndex: number;
}

/** The vault right after each of these events, in their order. */
export async function vaultAfter(tx: Orm, of: Product, places: readonly Place[]): Promise<VaultState[]> {
  if (places.length === 0) return [];
  const after = tx
    .select()
    .from(vaultState)
    .where(and(ofProduct(vaultState, of), upTo(vaultState)))
    .orderBy(...newestFirst(vaultState))
    .limit(1)
    .as("state");
  const rows = await tx.select().from(asked(tx, places)).innerJoinLateral(after, sql`true`).orderBy(sql`asked.number`);
  return rows.map(({ state }) => state);
}

/** The accounts of a time deposit right after each of these events, in their order. */
export async function termStateAfter(tx: Orm, of: Product, places: readonly Place[]): Promise<TermState[]> {
  if (places.length === 0) return [];
  const after = tx
    .select()
    .from(termState)
    .where(and(ofProduct(termState, of), upTo(termState)))
    .orderBy(...newestFirst(termState))
    .limit(1)
    .as("state");
  const rows = await tx.select().from(asked(tx, places)).innerJoinLateral(after, sql`true`).orderBy(sql`asked.number`);
  return rows.map(({ state }) => state);
}

function upTo({ time, block, logIndex }: typeof vaultState | typeof termState): SQL {
  return sql`(${time}, ${block}, ${logIndex}) <= (asked.at_time, asked.at_block, asked.at_log)`;
}

/** Places to join with, as the relation `asked`. */
function asked(tx: Orm, places: readonly Place[]) {
  const list = (part: (place: Place) => number) => `{${places.map(part).join(",")}}`;
  const [times, blocks, logs] = [
    list(({ time }) => time),
    list(({ block }) => block),
    list(({ logIndex }) => logIndex),
  ];
  return tx
    .select({
      ...{ number: sql<string>`number`.as("number"), time: sql`at_time`.as("at_time") },
      ...{ block: sql`at_block`.as("at_block"), logIndex: sql`at_log`.as("at_log") },
    })
    .from(
      sql`unnest(${times}::bigint[], ${blocks}::bigint[], ${logs}::integer[])
        with ordinality as places(at_time, at_block, at_log, number)`,
    )
    .as("asked");
}
