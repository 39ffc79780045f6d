import { getTableColumns, is, sql } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgTable } from "drizzle-orm/pg-core";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { insertRows } from "../../src/indexer/insert.ts";
import * as schema from "../../src/indexer/schema.ts";
import { withDatabase } from "../support/databases.ts";

const tables = Object.values<unknown>(schema).filter((value): value is PgTable => is(value, PgTable));

const text = fc.oneof(
  fc.string({ unit: "binary" }).map((value) => value.replaceAll("\0", "")),
  fc.constantFrom("", "NULL", "null", '"', "\\", '\\"', "{}", "a,b", "'", " ", "\n", "é 🌊"),
);
/** Keys without JSON escapes. Node 24.21 confuses a key that begins with an escape with "\\" once it has parsed that key. */
const key = text.filter((value) => !/["\\\p{Cc}]/u.test(value));
const most = 10n ** 78n - 1n;

/** Any value of a column's SQL type, none of which is null. */
const byType: Record<string, fc.Arbitrary<unknown>> = {
  bigint: fc.maxSafeInteger(),
  integer: fc.integer(),
  "numeric(78, 0)": fc.bigInt(-most, most),
  text,
  boolean: fc.boolean(),
  jsonb: fc.dictionary(key, text, { noNullPrototype: true }),
  uuid: fc.uuid(),
  "timestamp with time zone": fc.date({
    min: new Date("1970-01-01"),
    max: new Date("9999-01-01"),
    noInvalidDate: true,
  }),
};

function anyOf(column: PgColumn): fc.Arbitrary<unknown> {
  const value = byType[column.getSQLType()];
  if (!value) throw new Error(`nothing to fill ${column.name} with: ${column.getSQLType()}`);
  return column.notNull ? value : fc.option(value);
}

/** Rows of a table that differ in their primary key. */
function rowsOf(table: PgTable): fc.Arbitrary<Record<string, unknown>[]> {
  const columns = Object.entries<PgColumn>(getTableColumns(table));
  const { primaryKeys } = getTableConfig(table);
  const own = columns.filter(([, column]) => column.primary || primaryKeys.some((key) => key.columns.includes(column)));
  return fc.uniqueArray(fc.record(Object.fromEntries(columns.map(([key, column]) => [key, anyOf(column)]))), {
    selector: (row) => own.map(([key]) => String(row[key])).join(),
    maxLength: 8,
  });
}

withDatabase("an insert by COPY", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });

  const write = <Table extends PgTable>(table: Table, rows: Table["$inferSelect"][]) =>
    db.transaction((tx) => insertRows(tx, table, rows));

  async function contentOf(table: PgTable): Promise<{ read: unknown[]; stored: unknown[] }> {
    const read = await db.orm.select().from(table);
    const { rows } = await db.orm.execute(sql`select whole::text from ${table} as whole`);
    await db.orm.delete(table);
    return { read, stored: rows };
  }

  for (const table of tables) {
    it(`writes any rows of ${getTableConfig(table).name} as drizzle's own insert does`, async () => {
      await fc.assert(
        fc.asyncProperty(rowsOf(table), async (rows) => {
          if (rows.length > 0) await db.orm.insert(table).values(rows);
          const expected = await contentOf(table);
          await write(table, rows);
          const written = await contentOf(table);
          expect(written).toEqual(expected);
          expect(written.read).toEqual(rows);
        }),
        { numRuns: 30 },
      );
    });
  }

  it("writes more rows than one statement has parameters", async () => {
    const rows = Array.from({ length: 20_000 }, (_, number) => ({
      chainId: 1,
      number,
      hash: "0x" as const,
      time: number,
    }));
    await write(schema.chainBlock, rows);
    expect((await contentOf(schema.chainBlock)).read).toEqual(rows);
  });

  it("rejects a row that lacks a value and writes none of the others", async () => {
    const row = { chainId: 1, number: 1, hash: "0x" as const, time: 1 };
    const partial = { ...row, number: 2, time: undefined as unknown as number };
    await expect(write(schema.chainBlock, [row, partial])).rejects.toThrow(TypeError);
    expect((await contentOf(schema.chainBlock)).read).toEqual([]);
  });
});
