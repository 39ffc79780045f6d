import { sql } from "drizzle-orm";
import { bigint, boolean, integer, numeric, pgTable, text } from "drizzle-orm/pg-core";
import { expect, it } from "vitest";
import { list, listOf, packed, statement } from "../../src/db/statement.ts";
import { withDatabase } from "../support/databases.ts";

const sample = pgTable("sample", {
  id: integer("id").notNull(),
  block: bigint("block", { mode: "number" }).notNull(),
  units: numeric("units", { precision: 78, scale: 0, mode: "bigint" }),
  isOpen: boolean("is_open").notNull(),
  text: text("text"),
});
const all = packed(sample);
const part = packed(sample, ["units"]);
const read = statement<{ ids: string }, { row: unknown[]; part: unknown[] }>(
  "sample_rows",
  sql`select ${all.json("s")} as row, ${part.json("s")} as part from unnest(${list("ids", "text")}) as asked (id)
    join sample s on s.id = asked.id::int order by s.id`,
);

withDatabase("a statement", (open) => {
  it("returns exact rows, and is planned once per connection", async () => {
    const db = await open({ migrated: false });
    await db.orm.execute(
      "create table sample (id int primary key, block bigint, units numeric(78, 0), is_open boolean, text text)",
    );
    const rows = [
      { id: 1, block: Number.MAX_SAFE_INTEGER, units: 10n ** 77n + 1n, isOpen: true, text: 'a "b", {c}\\' },
      { id: 2, block: 0, units: -(10n ** 30n) - 7n, isOpen: false, text: null },
      { id: 3, block: 1, units: null, isOpen: true, text: "" },
    ];
    await db.orm.insert(sample).values(rows);
    await db.orm.execute("insert into sample select n, n, n, true, null from generate_series(10, 9999) as n");
    await db.orm.execute("analyze sample");
    await db.transaction(async (tx) => {
      for (let times = 0; times < 20; times += 1) {
        const ids = times % 2 === 0 ? [1, 2, 3] : [2];
        const answered = await read(tx, { ids: listOf(ids) });
        const expected = rows.filter(({ id }) => ids.includes(id));
        expect(answered.map(({ row }) => all.unpack(row))).toEqual(expected);
        expect(answered.map((one) => part.unpack(one.part))).toEqual(expected.map(({ units }) => ({ units })));
      }
      const { rows: plans } = await tx.execute<{ generic_plans: string }>(
        "select generic_plans from pg_prepared_statements where name = 'sample_rows'",
      );
      // PostgreSQL plans the first five executions for their values, and then considers a generic plan.
      expect(plans).toEqual([{ generic_plans: "15" }]);
    });
  });
});
