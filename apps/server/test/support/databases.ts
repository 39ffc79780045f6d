import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, describe, inject } from "vitest";
import { connectDatabase, type Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Administrator's connection string of the PostgreSQL server of this run. */
    postgresUrl: string;
    /** The same through PgBouncer in transaction mode; null if this run has none. */
    poolerUrl: string | null;
    /** Name of the database that was migrated once and is copied by each test that wants all tables. */
    template: string;
  }
}

/** A fresh, empty database with all tables (none with `migrated: false`), dropped when it is closed. */
export async function openTestDatabase({ migrated = true } = {}): Promise<Database> {
  const url = await createServerDatabase(migrated ? inject("template") : undefined);
  const { pathname } = new URL(url);
  const poolerUrl = inject("poolerUrl");
  const db =
    poolerUrl === null
      ? await connectDatabase(url)
      : await connectDatabase(poolerUrl.replace(/\/postgres$/, pathname), { preparedStatements: false });
  let closed: Promise<void> | null = null;
  const close = async () => {
    await db.close();
    await asAdministrator((client) => client.query(`drop database ${pathname.slice(1)} with (force)`));
  };
  return {
    ...db,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/** Gives a suite its own databases and closes them after it. */
export function withDatabase(name: string, suite: (open: typeof openTestDatabase) => void): void {
  describe(name, () => {
    const opened: Database[] = [];
    afterAll(async () => {
      for (const db of opened) await db.close();
    });
    suite(async (options) => {
      const db = await openTestDatabase(options);
      opened.push(db);
      return db;
    });
  });
}

/** Resolves when a transaction of this database waits for a lock of another one, or when `until` has settled. */
export async function untilLocked(db: Database, until: Promise<unknown>): Promise<void> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  until.then(settle, settle);
  while (!settled) {
    const { rows } = await db.orm.execute<{ waiting: string }>(
      sql`select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows[0]?.waiting !== "0") return;
    await sleep(10);
  }
}

/** Creates a database on the run's PostgreSQL server, empty or from the template, and returns its connection string. */
export async function createServerDatabase(template = "template1"): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asAdministrator((client) => client.query(`create database ${name} template ${template}`));
  return inject("postgresUrl").replace(/postgres$/, name);
}

async function asAdministrator(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

const migrations = fileURLToPath(new URL("../../migrations/", import.meta.url));

/** Brings an empty database to its state after the first `count` migrations. */
export async function migrateTo(db: Database, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "aqua-migrations-"));
  await cp(migrations, folder, { recursive: true });
  const journal = JSON.parse(await readFile(join(folder, "meta/_journal.json"), "utf8"));
  const entries = journal.entries.filter(({ idx }: { idx: number }) => idx < count);
  await writeFile(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
  const applied = await migrate(db, { folder });
  await rm(folder, { recursive: true });
  if (applied !== count) throw new Error(`${applied} migrations were applied instead of ${count}`);
}
