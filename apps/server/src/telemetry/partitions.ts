import { sql } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";

/** Returns the first moment of a month (UTC). Months are counted from year 0. */
const startOf = (month: number) => Date.UTC(Math.floor(month / 12), month % 12, 1);
const monthOf = (time: number) => {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** The partition of a month's readings. */
export interface Partition {
  name: string;
  /** Unix milliseconds. `to` belongs to the next partition. */
  from: number;
  to: number;
}

function partitionOf(month: number): Partition {
  const name = `reading_${Math.floor(month / 12)}${String((month % 12) + 1).padStart(2, "0")}`;
  return { name, from: startOf(month), to: startOf(month + 1) };
}

/** Returns the existing months. */
export async function monthsOf(orm: Orm): Promise<Partition[]> {
  const { rows } = await orm.execute<{ name: string }>(
    sql`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'reading'::regclass order by 1`,
  );
  return rows.map(({ name }) => partitionOf(Number(name.slice(-6, -2)) * 12 + Number(name.slice(-2)) - 1));
}

export interface Partitions {
  /** Creates the missing partitions for readings of these times. */
  ensure(times: Iterable<number>): Promise<void>;
  /** Clears the cache, because a partition in it does not exist. */
  forget(): void;
}

export function createPartitions(db: Pick<Database, "transaction">): Partitions {
  const known = new Set<number>();
  return {
    async ensure(times) {
      const missing = new Set<number>();
      for (const time of times) {
        const month = monthOf(time);
        if (!known.has(month)) missing.add(month);
      }
      for (const month of [...missing].sort((a, b) => a - b)) {
        const { name, from, to } = partitionOf(month);
        await db.transaction(async (tx) => {
          // "if not exists" does not prevent two processes from creating the same name at once.
          await tx.execute(sql`select pg_advisory_xact_lock(hashtext('aqua.reading'), 1)`);
          await tx.execute(
            sql.raw(`create table if not exists ${name} partition of reading for values from (${from}) to (${to})`),
          );
        });
        known.add(month);
      }
    },
    forget: () => known.clear(),
  };
}
