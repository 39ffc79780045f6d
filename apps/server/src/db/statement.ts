import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { PgDialect, type PgTable } from "drizzle-orm/pg-core";
import type { Orm } from "./database.ts";

const dialect = new PgDialect();

/**
 * A frequent query. Its text is built once, and each connection plans it once, under `name`, which must be unique among
 * statements. `sql.placeholder` marks its values. List columns by name, never by `*`: then a migration that adds a
 * column leaves the statement valid on open connections.
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
 * A list of any length as a value of a statement; pass it as `listOf` writes it. The subquery makes PostgreSQL assume
 * ten items. For a list that it sees it counts the items, and plans anew each time because it expects a cheaper plan
 * for fewer items.
 */
export function list(name: string, type: "text" | "bigint"): SQL {
  return sql`(select ${sql.placeholder(name)}::${sql.raw(type)}[])`;
}

/** Returns the text of an array. Items must need no quotes, or already have them (PostgreSQL manual, 8.15.6). */
export function listOf(items: readonly (string | number | bigint | null)[]): string {
  return `{${items.map((item) => item ?? "NULL").join()}}`;
}

/**
 * Rows of a table inside one value of another query: the expression that selects them and the function that reads them.
 */
export interface Packed<Row> {
  /** A JSON array of the columns of the relation `alias`. Numbers that may be too large for JSON are text. */
  json(alias: string): SQL;
  unpack(values: readonly unknown[]): Row;
}

/** Packs all columns of a table, or the named ones. */
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
      // Thousands of rows pass here: an iterator would create an array for each value.
      columns.forEach(([key, column], index) => {
        const value = values[index];
        row[key] = value === null ? null : column.mapFromDriverValue(value);
      });
      return row as Pick<Table["$inferSelect"], Key>;
    },
  };
}
