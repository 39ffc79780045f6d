import { sql } from "drizzle-orm";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { beforeAll, expect, it } from "vitest";
import { anyOf } from "../../src/db/anyOf.ts";
import type { Database } from "../../src/db/database.ts";
import { withDatabase } from "../support/databases.ts";

const thing = pgTable("thing", { id: integer("id").notNull(), name: text("name").notNull() });
const names = ["plain", "", "null", "NULL", "a,b", 'a "quote"', "back\\slash", "{brace}", " space ", "浸水"];

withDatabase("anyOf", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await db.orm.execute(sql`create table thing (id int not null, name text not null)`);
    await db.orm.insert(thing).values([...names, "other"].map((name, id) => ({ id, name })));
  });

  it("finds rows by more values than a statement has parameters", async () => {
    const ids = Array.from({ length: 70_000 }, (_, index) => index + 5);
    const rows = await db.orm.select({ id: thing.id }).from(thing).where(anyOf(thing.id, ids));
    expect(rows.map(({ id }) => id)).toEqual([5, 6, 7, 8, 9, 10]);
  });

  it("finds texts with every character that an array writes in another way", async () => {
    const rows = await db.orm
      .select({ name: thing.name })
      .from(thing)
      .where(anyOf(thing.name, new Set(names)));
    expect(rows.map(({ name }) => name)).toEqual(names);
  });

  it("finds nothing by no values", async () => {
    expect(await db.orm.select().from(thing).where(anyOf(thing.id, []))).toEqual([]);
  });
});
