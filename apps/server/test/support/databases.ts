import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, describe, inject } from "vitest";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";

/** A fresh, empty database with all tables (none with `migrated: false`). */
export async function openTestDatabase(kind: Database["kind"], { migrated = true } = {}): Promise<Database> {
  if (kind === "server") {
    const databaseUrl = await createServerDatabase(migrated ? inject("templates").server : undefined);
    return openDatabase({ dataDir: null, databaseUrl });
  }
  const dump = migrated ? { dump: new Blob([await readFile(inject("templates").embedded)]) } : {};
  return openDatabase({ dataDir: null, databaseUrl: null, ...dump });
}

/** As `openTestDatabase` of one kind; it is closed after the suite. */
export type OpenTestDatabase = (options?: { migrated?: boolean }) => Promise<Database>;

const kinds = ["embedded", "server"] as const;

/** Runs a suite twice: on the embedded database and on a PostgreSQL server. */
export function forEachDatabase(name: string, suite: (open: OpenTestDatabase, kind: Database["kind"]) => void): void {
  describe.each(kinds)(`${name} (%s)`, (kind) => {
    const opened: Database[] = [];
    afterAll(async () => {
      for (const db of opened) await db.close();
    });
    suite(async (options) => {
      const db = await openTestDatabase(kind, options);
      opened.push(db);
      return db;
    }, kind);
  });
}

/** Creates a database on the run's PostgreSQL server, empty or as its template is, and answers its connection string. */
export async function createServerDatabase(template = "template1"): Promise<string> {
  const admin = inject("postgresUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    await client.query(`create database ${name} template ${template}`);
  } finally {
    await client.end();
  }
  return admin.replace(/postgres$/, name);
}

const migrations = fileURLToPath(new URL("../../migrations/", import.meta.url));

/** Brings an empty database to where it stood after the first `count` migrations. */
export async function migrateTo(db: Database, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "aqua-migrations-"));
  await cp(migrations, folder, { recursive: true });
  const journal = JSON.parse(await readFile(join(folder, "meta/_journal.json"), "utf8"));
  const entries = journal.entries.filter(({ idx }: { idx: number }) => idx < count);
  await writeFile(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
  const applied = await migrate(db, folder);
  await rm(folder, { recursive: true });
  if (applied !== count) throw new Error(`${applied} migrations were applied instead of ${count}`);
}
