import pg from "pg";
import type { TestProject } from "vitest/node";
import { connectDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { startPgBouncer } from "./startPgBouncer.ts";
import { startPostgres } from "./startPostgres.ts";

/**
 * One PostgreSQL server for the whole run. It need not survive a crash of the machine, so it does not sync to disk. With
 * PGBOUNCER, the path of that program, tests reach it through a pooler.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres(["fsync=off", "synchronous_commit=off", "full_page_writes=off"]);
  project.provide("postgresUrl", url);
  project.provide("template", await createTemplate(url));
  const program = process.env.PGBOUNCER;
  const pooler = program === undefined ? null : await startPgBouncer(program, url);
  project.provide("poolerUrl", pooler?.url ?? null);
  return async () => {
    pooler?.stop();
    await stop();
  };
}

async function createTemplate(url: string): Promise<string> {
  const name = "migrated";
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const db = await connectDatabase(url.replace(/postgres$/, name));
  await migrate(db);
  await db.close();
  return name;
}
