import { DAY_MS } from "@aqua/sdk/durations";
import { sql } from "drizzle-orm";
import { type Database, type Orm, sqlState } from "../db/database.ts";
import { monthsOf, type Partition } from "./partitions.ts";

const BUSY = "55P03";

/**
 * Drops the months of readings that ended more than `days` ago, once all their readings are in anchored batches. The
 * batch files and buckets stay, so every reading can still be read and proved. Returns the names of the dropped
 * partitions.
 */
export async function dropOldMonths(db: Pick<Database, "orm" | "transaction">, days: number, now: number) {
  const dropped: string[] = [];
  for (const month of await monthsOf(db.orm)) {
    if (month.to > now - days * DAY_MS) continue;
    // A first look without a lock decides in most cases.
    if ((await unanchored(db.orm, month)) || !(await drop(db, month))) continue;
    dropped.push(month.name);
  }
  return dropped;
}

async function drop(db: Pick<Database, "transaction">, month: Partition): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = '2s'`);
      // The lock prevents a late reading from being added between this check and the drop.
      await tx.execute(sql`lock table reading in access exclusive mode`);
      if (await unanchored(tx, month)) return false;
      await tx.execute(sql.raw(`drop table ${month.name}`));
      return true;
    });
  } catch (error) {
    // The table is busy; the next run tries again.
    if (sqlState(error) === BUSY) return false;
    throw error;
  }
}

/**
 * Whether a reading of the month is in no anchored batch. A device's readings enter batches in their order and batches
 * are anchored in theirs: when the month's last reading is anchored, all are.
 */
async function unanchored(orm: Orm, { name }: Partition): Promise<boolean> {
  const { rows } = await orm.execute(sql`
    select d.id from device d
    cross join lateral (select max(r.seq) as seq from ${sql.identifier(name)} r where r.device = d.id) as newest
    where newest.seq > coalesce((
      select max(p.last_seq) from telemetry_batch_part p
      join telemetry_batch b on b.chain_id = p.chain_id and b.stream = p.stream and b.number = p.number
      join anchor a on a.chain_id = b.chain_id and a.head = b.head
      where p.device = d.id
    ), 0) limit 1`);
  return rows.length > 0;
}
