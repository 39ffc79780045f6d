import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { startPostgres } from "./startPostgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Administrator's connection string of the PostgreSQL server of this run. */
    postgresUrl: string;
    /** Migrated once and copied by each test that wants all tables: a database of the server, a dump of PGlite. */
    templates: { server: string; embedded: string };
  }
}

/** One PostgreSQL server for the whole run, which forgets everything when the machine does: tests need no more. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres(["fsync=off", "synchronous_commit=off", "full_page_writes=off"]);
  const folder = await mkdtemp(join(tmpdir(), "aqua-template-"));
  project.provide("postgresUrl", url);
  project.provide("templates", { server: await serverTemplate(url), embedded: await embeddedTemplate(folder) });
  return async () => {
    await rm(folder, { recursive: true });
    await stop();
  };
}

async function serverTemplate(url: string): Promise<string> {
  const name = "migrated";
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const db = await openDatabase({ dataDir: null, databaseUrl: url.replace(/postgres$/, name) });
  await migrate(db);
  await db.close();
  return name;
}

async function embeddedTemplate(folder: string): Promise<string> {
  const db = await openDatabase({ dataDir: folder, databaseUrl: null });
  await migrate(db);
  await db.close();
  const client = await PGlite.create({ dataDir: join(folder, "db") });
  const file = join(folder, "migrated.tar");
  await writeFile(file, Buffer.from(await (await client.dumpDataDir("none")).arrayBuffer()));
  await client.close();
  return file;
}
