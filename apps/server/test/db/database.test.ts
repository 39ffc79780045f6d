import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { connectDatabase, type Database, type Orm, sqlState } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { statement } from "../../src/db/statement.ts";
import { StartRefused } from "../../src/errors.ts";
import { withRequestId } from "../../src/requestId.ts";
import { createServerDatabase, withDatabase } from "../support/databases.ts";

withDatabase("database", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open({ migrated: false });
  });

  it("returns bigint and numeric as strings in raw rows", async () => {
    const { orm } = db;
    const { rows } = await orm.execute(sql`select 9007199254740993::bigint as b, ${10n ** 77n}::numeric(78,0) as n`);
    expect(rows[0]).toEqual({ b: "9007199254740993", n: (10n ** 77n).toString() });
  });

  it("has the id of the request in the text of its statements, except of prepared ones", async () => {
    const text = async (orm: Orm) => (await orm.execute<{ text: string }>(sql`select current_query() as text`)).rows;
    const named = statement<Record<string, never>, { text: string }>("own_text", sql`select current_query() as text`);
    const plain = [{ text: "select current_query() as text" }];
    const commented = [{ text: "select current_query() as text /*request_id='r-1'*/" }];
    await withRequestId("r-1", async () => {
      expect(await text(db.orm)).toEqual(commented);
      expect(await db.transaction(text)).toEqual(commented);
      expect(await named(db.orm, {})).toEqual(plain);
      expect(await db.transaction((tx) => named(tx, {}))).toEqual(plain);
    });
    expect(await text(db.orm)).toEqual(plain);
  });

  it("has the id of the request that sent a statement, not of the one that returned the connection for it", async () => {
    const text = async () =>
      await db.orm.execute<{ text: string }>(sql`select current_query() as text, pg_sleep(0.01)`);
    const ids = Array.from({ length: 40 }, (_, n) => `r-${n}`);
    const answers = await Promise.all(ids.map((id) => withRequestId(id, text)));
    expect(answers.map(({ rows }) => /request_id='(.*)'/.exec(rows[0]?.text ?? "")?.[1])).toEqual(ids);
  });

  it("stores nothing of a transaction that throws", async () => {
    await db.orm.execute(sql`create table t (n int primary key)`);
    await expect(
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into t values (1)`);
        throw new Error("stop");
      }),
    ).rejects.toThrow("stop");
    expect((await db.orm.execute(sql`select * from t`)).rows).toEqual([]);
  });

  it("runs a transaction again after a serialisation failure, and rejects at once with any other error", async () => {
    let runs = 0;
    const answer = await db.transaction(async (tx) => {
      runs += 1;
      if (runs < 3) await tx.execute(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
      return "done";
    });
    expect([answer, runs]).toEqual(["done", 3]);
    runs = 0;
    const failure = await db
      .transaction(async (tx) => {
        runs += 1;
        await tx.execute(sql`select 1/0`);
      })
      .catch((error: unknown) => error);
    expect([sqlState(failure), runs]).toEqual(["22012", 1]);
  });

  it("applies migrations once, and rejects a database that another version migrated", async () => {
    const folder = await migrations(["create table a (n int)", "create table b (n int)"]);
    expect(await migrate(db, { folder })).toBe(2);
    expect(await migrate(db, { folder })).toBe(0);
    await expect(migrate(db, { folder: await migrations(["create table c (n int)"]) })).rejects.toThrow(
      "another version",
    );
  });
});

describe("PostgreSQL server", () => {
  it("is migrated once when several processes migrate at the same time", async () => {
    const databaseUrl = await createServerDatabase();
    const folder = await migrations(["create table a (n int)", "insert into a values (1)"]);
    const databases = await Promise.all(Array.from({ length: 6 }, () => connectDatabase(databaseUrl)));
    const applied = await Promise.all(databases.map((db) => migrate(db, { folder })));
    expect(applied.toSorted()).toEqual([0, 0, 0, 0, 0, 2]);
    expect((await databases[0]?.orm.execute(sql`select * from a`))?.rows).toHaveLength(1);
    for (const db of databases) await db.close();
  });

  it("is migrated even if a migration lasts longer than the limit of statements, and other processes wait for it", async () => {
    const databaseUrl = await createServerDatabase();
    const databases = [await connectDatabase(databaseUrl), await connectDatabase(databaseUrl)] as const;
    // Every session of the pool has this limit from now on, as it has 30 seconds elsewhere.
    for (const { orm } of databases) await orm.execute(sql.raw(`set statement_timeout = '50ms'`));
    const folder = await migrations(["select pg_sleep(1)"]);
    const waiting = vi.fn();
    const applied = await Promise.all(databases.map((db) => migrate(db, { folder, waiting })));
    expect(applied.toSorted()).toEqual([0, 1]);
    expect(waiting).toHaveBeenCalledOnce();
    // The limit counts again after that.
    await expect(databases[0].orm.execute(sql`select pg_sleep(1)`)).rejects.toThrow();
    for (const db of databases) await db.close();
  });

  it("is unchanged after a failed migration, which is reported with its name and the reason in one line", async () => {
    const db = await connectDatabase(await createServerDatabase());
    const folder = await migrations(["create table a (n int)", "alter table b add column n int"]);
    const failure = await migrate(db, { folder }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartRefused);
    expect((failure as Error).message).toBe(
      'the migration 0001_x failed and nothing was changed: relation "b" does not exist',
    );
    await expect(db.orm.execute(sql`select * from a`)).rejects.toThrow();
    await db.close();
  });

  it("is rejected with advice if a newer version has migrated it", async () => {
    const db = await connectDatabase(await createServerDatabase());
    await migrate(db, { folder: await migrations(["create table a (n int)", "create table b (n int)"]) });
    await expect(migrate(db, { folder: await migrations(["create table a (n int)"]) })).rejects.toThrow(
      "the database was migrated by a newer version of Aqua (it has 2 migrations, this version 1); start that version",
    );
    await db.close();
  });

  it("is reported without its password if it cannot be reached", async () => {
    const failure = await connectDatabase("postgresql://aqua:hush@127.0.0.1:18149/none").catch((error: Error) => error);
    expect(String(failure)).toContain("DATABASE_URL does not answer");
    expect(String(failure)).not.toContain("hush");
  });
});

async function migrations(statements: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "aqua-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "meta"));
  const entries = statements.map((_, index) => ({
    idx: index,
    version: "7",
    when: index + 1,
    tag: `000${index}_x`,
    breakpoints: true,
  }));
  await writeFile(join(folder, "meta/_journal.json"), JSON.stringify({ version: "7", dialect: "postgresql", entries }));
  for (const [index, statement] of statements.entries()) await writeFile(join(folder, `000${index}_x.sql`), statement);
  return folder;
}
