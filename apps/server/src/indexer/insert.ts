import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Orm } from "../db/database.ts";

/**
 * Inserts any number of whole rows in one statement. Each column is one array parameter, which takes a small part of
 * the time of one parameter per value. Every column must have a value, which may be null if the column allows it.
 * Defaults of the table are not used.
 * @throws TypeError if a value is missing; otherwise the database's error
 */
export async function insertRows<Table extends PgTable>(
  tx: Orm,
  table: Table,
  rows: readonly Table["$inferSelect"][],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.entries<PgColumn>(getTableColumns(table));
  const names = columns.map(([, { name }]) => sql.identifier(name));
  const arrays = columns.map(([key, column]) =>
    arrayOf(
      column,
      rows.map((row) => row[key]),
    ),
  );
  await tx.execute(sql`insert into ${table} (${list(names)}) select * from unnest(${list(arrays)})`);
}

function list(items: (SQL | ReturnType<typeof sql.identifier>)[]): SQL {
  return sql.join(items, sql`, `);
}

/** Encodes the values of a column as one parameter: the text form of an array (PostgreSQL manual, 8.15.6). */
function arrayOf(column: PgColumn, values: readonly unknown[]): SQL {
  const text = `{${values.map((value) => elementOf(column, value)).join()}}`;
  return sql`${text}::${sql.raw(column.getSQLType())}[]`;
}

function elementOf(column: PgColumn, value: unknown): string {
  if (value === undefined) throw new TypeError(`a row has no ${column.name}`);
  if (value === null) return "NULL";
  const plain = String(column.mapToDriverValue(value));
  return `"${/["\\]/.test(plain) ? plain.replace(/["\\]/g, "\\$&") : plain}"`;
}
