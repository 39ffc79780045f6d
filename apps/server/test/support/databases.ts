import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, describe, inject } from "vitest";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";

/** Opens a fresh, empty database with all tables (none with `migrated: false`); it is closed after the suite. */
export type OpenTestDatabase = (options?: { migrated?: boolean }) => Promise<Database>;

const kinds = ["embedded", "server"] as const;

/** Runs a suite twice: on the embedded database and on a PostgreSQL server. */
export function forEachDatabase(name: string, suite: (open: OpenTestDatabase, kind: Database["kind"]) => void): void {
  describe.each(kinds)(`${name} (%s)`, (kind) => {
    const opened: Database[] = [];
    afterAll(async () => {
      for (const db of opened) await db.close();
    });
    suite(async ({ migrated = true } = {}) => {
      const databaseUrl = kind === "server" ? await createServerDatabase() : null;
      const db = await openDatabase({ dataDir: null, databaseUrl });
      opened.push(db);
      if (migrated) await migrate(db);
      return db;
    }, kind);
  });
}

/** Creates an empty database on the run's PostgreSQL server and answers its connection string. */
export async function createServerDatabase(): Promise<string> {
  const admin = inject("postgresUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  return admin.replace(/postgres$/, name);
}
