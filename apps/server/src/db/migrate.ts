import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { StartRefused } from "../errors.ts";
import { folders } from "../folders.ts";
import { type Database, type Orm, reasonOf } from "./database.ts";

interface Options {
  folder?: string;
  /** Called once if another process migrates the database at this moment. */
  waiting?: () => void;
}

/**
 * Applies the migrations that drizzle-kit wrote, all or none of them, and returns how many it applied.
 *
 * drizzle's own migrator reads the journal before it opens its transaction, so two processes that start together would
 * both apply the same file. Here the transaction holds a lock, for which the second process waits as long as the first
 * works: neither has a limit of time. The limits are of this transaction, so a pooler can be in between. The journal has
 * drizzle's name and columns.
 *
 * @throws StartRefused when a migration fails, or the database holds one that this version does not know
 */
export async function migrate(
  db: Database,
  { folder = folders.migrations, waiting = () => {} }: Options = {},
): Promise<number> {
  const files = readMigrationFiles({ migrationsFolder: folder });
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`set local lock_timeout = 0`);
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    await lock(tx, waiting);
    await createJournal(tx);
    const { rows } = await tx.execute<{ hash: string }>(sql`select hash from drizzle.__drizzle_migrations order by id`);
    refuseOthers(rows, files);
    for (const [index, file] of files.entries()) {
      if (index >= rows.length) await apply(tx, file, nameOf(folder, index));
    }
    return files.length - rows.length;
  });
}

/** The number of migrations of this version. */
export function countMigrations(folder = folders.migrations): number {
  return readMigrationFiles({ migrationsFolder: folder }).length;
}

/**
 * The number of migrations of this version that a database lacks. Changes nothing.
 * @throws StartRefused when the database holds one that this version does not know
 */
export async function countPending(db: Pick<Database, "orm">): Promise<number> {
  const files = readMigrationFiles({ migrationsFolder: folders.migrations });
  const journal = await db.orm.execute<{ journal: string | null }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') as journal`,
  );
  if (journal.rows[0]?.journal == null) return files.length;
  const { rows } = await db.orm.execute<{ hash: string }>(
    sql`select hash from drizzle.__drizzle_migrations order by id`,
  );
  refuseOthers(rows, files);
  return files.length - rows.length;
}

async function lock(tx: Orm, waiting: () => void): Promise<void> {
  const key = sql`hashtext('aqua.migrations'), 1`;
  const { rows } = await tx.execute<{ taken: boolean }>(sql`select pg_try_advisory_xact_lock(${key}) as taken`);
  if (rows[0]?.taken) return;
  waiting();
  await tx.execute(sql`select pg_advisory_xact_lock(${key})`);
}

function refuseOthers(applied: readonly { hash: string }[], files: readonly MigrationMeta[]): void {
  const differing = applied.findIndex(({ hash }, index) => files[index]?.hash !== hash);
  if (differing < 0) return;
  throw new StartRefused(
    differing >= files.length
      ? `the database was migrated by a newer version of Aqua (it has ${applied.length} migrations, this version ${files.length}); start that version, or restore a dump from before the upgrade`
      : `the database was migrated by another version of Aqua (migration ${differing + 1} differs)`,
  );
}

async function apply(tx: Orm, file: MigrationMeta, name: string): Promise<void> {
  try {
    for (const statement of file.sql) await tx.execute(sql.raw(statement));
  } catch (error) {
    throw new StartRefused(`the migration ${name} failed and nothing was changed: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  await tx.execute(
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${file.hash}, ${file.folderMillis})`,
  );
}

function nameOf(folder: string, index: number): string {
  const { entries } = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8"));
  return entries[index].tag;
}

async function createJournal(tx: Orm): Promise<void> {
  await tx.execute(sql`create schema if not exists drizzle`);
  await tx.execute(
    sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
  );
  // A server of a version before the lock above locks this table.
  await tx.execute(sql`lock table drizzle.__drizzle_migrations in exclusive mode`);
}
