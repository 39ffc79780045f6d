import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { listOf } from "./statement.ts";

/**
 * Whether a column of numbers or texts has one of `values`. They are one parameter, an array: `inArray` needs one for each
 * value, and a statement has at most 65,535. For lists that grow with devices, accounts or the history.
 */
export function anyOf<Column extends PgColumn>(column: Column, values: Iterable<Column["_"]["data"]>): SQL {
  const items = [...values].map((value) => `"${String(value).replace(/["\\]/g, "\\$&")}"`);
  return sql`${column} = any(${listOf(items)})`;
}
