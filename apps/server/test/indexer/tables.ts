import { sql } from "drizzle-orm";
import type { Database } from "../../src/db/database.ts";

const orders = {
  product: "address",
  product_state: "block, log_index",
  vault_state: "block, log_index",
  position: "block, log_index, wallet",
  movement: "block, log_index, wallet",
  report: "block, log_index",
  queue_place: "block, log_index, start",
  queue_batch: "block, log_index",
  term_state: "block, log_index",
  term: "block, log_index, term_id",
  receipt: "block, log_index, receipt_id",
  privileged_act: "block, log_index",
  identity_record: "block, log_index",
  anchor: "block, log_index",
  kept_head: "block, log_index",
  device_key: "block, log_index",
} as const;

/** All rows that the indexer derived from events, for comparison. */
export async function derivedTables(db: Database): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {};
  for (const [table, order] of Object.entries(orders)) {
    const { rows } = await db.orm.execute(sql.raw(`select * from "${table}" order by ${order}`));
    tables[table] = rows;
  }
  return tables;
}

/** Returns the number of rows in all tables. */
export function rowCount(tables: Record<string, unknown[]>): number {
  return Object.values(tables).reduce((sum, rows) => sum + rows.length, 0);
}
