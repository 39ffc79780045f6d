import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { PgDialect, type PgTable } from "drizzle-orm/pg-core";
import type { Orm } from "./database.ts";

const dialect = new PgDialect();

/**
 * A query that is asked often: its text is built once, and each connection plans it once, under `name`, which no other
 * statement may have. `sql.placeholder` stands for its values. Columns are named in full, never by `*`, so that a
 * migration that adds one leaves it valid on connections that are open.
 */
export function statement<Values extends Record<string, unknown>, Row extends object>(
  name: string,
  query: SQL,
): (orm: Orm, values: Values) => Promise<Row[]> {
  const built = dialect.sqlToQuery(query);
  return async (orm, values) => {
    const prepared = orm._.session.prepareQuery<{ execute: { rows: Row[] }; all: unknown; values: unknown }>(
      built,
      undefined,
      name,
      false,
    );
    return (await prepared.execute(values)).rows;
  };
}

/**
 * A list of any length as a value of a statement, given as `listOf` writes it. PostgreSQL reckons with ten items of a list it
 * takes from a query; of one it sees it counts them, and plans anew each time because it hopes for fewer.
 */
export function list(name: string, type: "text" | "bigint"): SQL {
  return sql`(select ${sql.placeholder(name)}::${sql.raw(type)}[])`;
}

/** The text of a list of items that need no quotes or have them (PostgreSQL manual, 8.15.6). */
export function listOf(items: readonly (string | number | bigint | null)[]): string {
  return `{${items.map((item) => item ?? "NULL").join()}}`;
}

/** Rows of a table inside one value of another query: how to ask for them, and how to read what comes. */
export interface Packed<Row> {
  /** A JSON array of the columns of the relation `alias`; numbers that may be too large for JSON are text in it. */
  json(alias: string): SQL;
  unpack(values: readonly unknown[]): Row;
}

/** Of all columns of a table, or of those named. */
export function packed<Table extends PgTable, Key extends keyof Table["$inferSelect"] & string>(
  table: Table,
  keys?: readonly Key[],
): Packed<Pick<Table["$inferSelect"], Key>> {
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => !keys || keys.some((one) => one === key));
  return {
    json(alias) {
      const values = columns.map(
        ([, { name, dataType }]) => `${alias}.${name}${dataType === "bigint" ? "::text" : ""}`,
      );
      return sql.raw(`json_build_array(${values.join(", ")})`);
    },
    unpack(values) {
      const row: Record<string, unknown> = {};
      // Thousands of rows pass here: an iterator would make an array for each of their values.
      columns.forEach(([key, column], index) => {
        const value = values[index];
        row[key] = value === null ? null : column.mapFromDriverValue(value);
      });
      return row as Pick<Table["$inferSelect"], Key>;
    },
  };
}
