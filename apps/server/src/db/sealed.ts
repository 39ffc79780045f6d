import { type SQL, sql } from "drizzle-orm";
import type { KeyPurpose } from "../keys.ts";
import type { Orm } from "./database.ts";

/** A column of values that `Keys.seal` made, so that they can be sealed again when SECRET_KEY is replaced. */
export interface SealedColumn {
  purpose: KeyPurpose;
  table: SQL;
  id: SQL;
  /** The sealed bytes; null in a row that has none. */
  sealed: SQL;
  /** The context passed to `Keys.seal`. */
  context: SQL;
  /** The assignment that stores other bytes in the column. */
  set: (sealed: Uint8Array) => SQL;
}

/** Selects rows after the id `after`. With `keyId`, selects only those sealed with a key of another id. */
interface SealedFilter {
  after?: string | null;
  keyId?: Uint8Array;
}

export interface SealedValue {
  id: string;
  sealed: Uint8Array;
  context: string;
}

function whereOf({ id, sealed }: SealedColumn, { after = null, keyId }: SealedFilter): SQL {
  const isOther = keyId === undefined ? sql`` : sql` and substring(${sealed} for ${keyId.length}) <> ${keyId}`;
  return sql`${sealed} is not null${after === null ? sql`` : sql` and ${id} > ${after}`}${isOther}`;
}

/** Returns the first row in the order of ids, locked until the transaction ends; null when there is none. */
export async function lockSealed(
  tx: Orm,
  column: SealedColumn,
  filter: SealedFilter = {},
): Promise<SealedValue | null> {
  const { table, id, sealed, context } = column;
  const { rows } = await tx.execute<{ id: string; sealed: Uint8Array; context: string }>(sql`
    select ${id} as id, ${sealed} as sealed, ${context} as context from ${table}
    where ${whereOf(column, filter)} order by ${id} limit 1 for update`);
  return rows[0] ?? null;
}

export async function isAnySealed(orm: Orm, column: SealedColumn, filter: SealedFilter): Promise<boolean> {
  const { rows } = await orm.execute(sql`select 1 from ${column.table} where ${whereOf(column, filter)} limit 1`);
  return rows.length > 0;
}

export async function updateSealed(
  tx: Orm,
  column: SealedColumn,
  { id, sealed }: Omit<SealedValue, "context">,
): Promise<void> {
  await tx.execute(sql`update ${column.table} set ${column.set(sealed)} where ${column.id} = ${id}`);
}
