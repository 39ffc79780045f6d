import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { folders } from "../folders.ts";
import { type Database, type Orm, sqlState } from "./database.ts";

/**
 * Applies the migrations that drizzle-kit wrote, all or none of them, and returns how many it applied.
 *
 * drizzle's own migrator reads the journal before it opens its transaction, so two processes that start together would
 * both apply the same file. Here the transaction locks the journal table, so the second process waits for the first.
 * The journal has drizzle's name and columns.
 *
 * @throws when the database holds a migration this version does not know: a newer version has used it
 */
export async function migrate(db: Database, folder: string = folders.migrations): Promise<number> {
  const files = readMigrationFiles({ migrationsFolder: folder });
  await createJournal(db);
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table drizzle.__drizzle_migrations in exclusive mode`);
    const { rows } = await tx.execute<{ hash: string }>(sql`select hash from drizzle.__drizzle_migrations order by id`);
    rows.forEach(({ hash }, index) => {
      if (files[index]?.hash !== hash) {
        throw new Error(`the database was migrated by another version of Aqua (migration ${index + 1} differs)`);
      }
    });
    const pending = files.slice(rows.length);
    for (const file of pending) {
      for (const statement of file.sql) await tx.execute(sql.raw(statement));
      await tx.execute(
        sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${file.hash}, ${file.folderMillis})`,
      );
    }
    return pending.length;
  });
}

async function createJournal(db: Database): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.transaction(journalTable);
      return;
    } catch (error) {
      // "if not exists" does not prevent two sessions from creating the same name at once: one of them fails with one
      // of these codes.
      const raced = ["23505", "42P06", "42P07", "42710"].includes(sqlState(error) ?? "");
      if (!raced || attempt === 5) throw error;
    }
  }
}

async function journalTable(tx: Orm): Promise<void> {
  await tx.execute(sql`create schema if not exists drizzle`);
  await tx.execute(
    sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
  );
}
