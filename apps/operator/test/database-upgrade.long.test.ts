import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { deploymentsFolder } from "../../../devnet/src/deploy.ts";
import { productsFolder } from "../../../devnet/src/documents.ts";
import { startWorld, type World } from "../../../devnet/src/world.ts";
import { freePort } from "../../../devnet/test/support/port.ts";
import { findPostgres15, installedPostgres } from "../../../scripts/postgres.ts";
import { connectDatabase } from "../../server/src/db/database.ts";
import { countMigrations } from "../../server/src/db/migrate.ts";
import { folders } from "../../server/src/folders.ts";
import { type PostgresServer, startPostgres } from "../../server/test/support/startPostgres.ts";
import { startServer } from "../../server/test/support/startServer.ts";
import { runAqua } from "./support/aqua.ts";

/** Has pg_dump of the same version, which the embedded PostgreSQL lacks. */
const bin = installedPostgres() ?? findPostgres15();
const repository = join(import.meta.dirname, "../../..");
const CHAIN = 31337;
const LAST = countMigrations();
const newest = readNewestMigration();

let folder: string;
let postgres: PostgresServer;
let world: World;
/** A build that runs the sources as they are. */
let sameBuild: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-database-upgrade-"));
  sameBuild = await buildOf("same");
  postgres = await startPostgres(["fsync=off"], bin);
  const dataDir = join(folder, "world");
  const [chainPort, httpPort] = [await freePort(), await freePort()];
  world = await startWorld({ dataDir, chainPort, httpPort, server: false, build: false, history: "month" });
  await onServer(postgres.url, "create database seeded");
  await seed(postgres.url.replace(/postgres$/, "seeded"));
});
afterAll(async () => {
  await world?.stop();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Makes a build whose server is that of the sources, after `change` has run. */
async function buildOf(name: string, change = ""): Promise<string> {
  const build = join(folder, name);
  await mkdir(build);
  await writeFile(join(build, "package.json"), '{"type":"module"}');
  const main = JSON.stringify(join(repository, "apps/server/src/main.ts"));
  const tsx = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  await writeFile(
    join(build, "server.js"),
    `import { register } from ${tsx};\nregister();\n${change}\nawait import(${main});\n`,
  );
  return build;
}

const settings = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  [`RPC_URL_${CHAIN}`]: world.rpcUrl,
  DEPLOYMENTS_DIR: deploymentsFolder(join(folder, "world")),
  PRODUCTS_DIR: productsFolder,
  SECRET_KEY: "ab".repeat(32),
  DATA_DIR: join(folder, "data"),
  POSTGRES_BIN: bin,
  PATH: process.env.PATH ?? "",
});

/** Fills a database from the chain as far as it is now. */
async function seed(databaseUrl: string): Promise<void> {
  const { child, listening } = startServer(settings(databaseUrl));
  const { url } = await listening;
  const isIndexed = async () => {
    const { degraded } = (await (await fetch(`${url}/ready`)).json()) as { degraded: unknown[] };
    return degraded.length === 0;
  };
  await vi.waitUntil(isIndexed, { timeout: 60_000, interval: 200 });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await ended;
  await undoNewestMigration(databaseUrl);
}

/** Makes the database that of the version before. The newest migration may only create tables and indexes. */
async function undoNewestMigration(databaseUrl: string): Promise<void> {
  const others = newest.statements.filter((statement) => !/^\s*CREATE (TABLE|(UNIQUE )?INDEX) /.test(statement));
  if (others.length > 0) throw new Error(`say here how to undo ${newest.name}: ${others.join()}`);
  for (const table of newest.tables) await onServer(databaseUrl, `drop table "${table}"`);
  for (const index of newest.indexes) await onServer(databaseUrl, `drop index if exists "${index}"`);
  await onServer(
    databaseUrl,
    "delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)",
  );
}

function readNewestMigration(): { name: string; statements: string[]; tables: string[]; indexes: string[] } {
  const { entries } = JSON.parse(readFileSync(join(folders.migrations, "meta/_journal.json"), "utf8"));
  const name: string = entries.at(-1).tag;
  const text = readFileSync(join(folders.migrations, `${name}.sql`), "utf8");
  const tables = [...text.matchAll(/^CREATE TABLE "(\w+)"/gm)].map(([, table]) => table as string);
  const indexes = [...text.matchAll(/^CREATE (?:UNIQUE )?INDEX "(\w+)"/gm)].map(([, index]) => index as string);
  return { name, statements: text.split("--> statement-breakpoint"), tables, indexes };
}

async function onServer<Row extends Record<string, unknown>>(url: string, statement: string): Promise<Row[]> {
  const db = await connectDatabase(url);
  try {
    return (await db.orm.execute<Row>(sql.raw(statement))).rows;
  } finally {
    await db.close();
  }
}

let database = 0;
let url: string;
let backups: string;
beforeEach(async () => {
  database += 1;
  await onServer(postgres.url, `create database live_${database} template seeded`);
  url = postgres.url.replace(/postgres$/, `live_${database}`);
  backups = await mkdtemp(join(folder, "backups-"));
});

const upgrade = (build: string, environment: Record<string, string> = {}, more: readonly string[] = []) =>
  runAqua(["upgrade", "--from", build, "--backup", backups, ...more], { ...settings(url), ...environment });

const migrations = async () =>
  Number((await onServer<{ count: string }>(url, "select count(*) from drizzle.__drizzle_migrations"))[0]?.count);
const copies = () => onServer(postgres.url, "select datname from pg_database where datname like 'aqua_upgrade_%'");

/** Nothing of a refused upgrade is left, and nothing was changed. */
async function expectUnchanged(): Promise<void> {
  expect(await copies()).toEqual([]);
  expect(await migrations()).toBe(LAST - 1);
  expect(await readdir(backups)).toEqual([]);
}

it("aqua upgrade migrates the database once both builds give the same figures on copies of it", async () => {
  const { code, out, error } = await upgrade(sameBuild);
  expect({ code, error }).toEqual({ code: 0, error: "" });
  const same = /^(\d+) figures, of (\d+) wallets among others, are the same (.*)\.$/gm;
  const said = [...out.matchAll(same)].map(([, figures, wallets, what]) => ({
    enough: Number(figures) > 1_000 && Number(wallets) > 5,
    what,
  }));
  expect(said).toEqual([
    { enough: true, what: "on the migrated copy" },
    { enough: true, what: "recomputed from the chain by the new build" },
  ]);
  expect(out).toMatch(/1 migrations were applied\. Restart the servers with the new build, one after the other\.\n$/);
  expect(await migrations()).toBe(LAST);
  expect(await copies()).toEqual([]);
  expect(await readdir(backups)).toEqual([expect.stringMatching(/^aqua-backup-/)]);
});

it("aqua upgrade prints a figure that the new build computes otherwise, and changes nothing unless it is accepted", async () => {
  const otherFigure = await buildOf(
    "other-figure",
    `import { ServerResponse } from "node:http";
   const { end } = ServerResponse.prototype;
   ServerResponse.prototype.end = function (body, ...rest) {
     const text = Buffer.isBuffer(body) ? body.toString() : body;
     const isSummary = this.req.url.endsWith("/product/summary") && typeof text === "string";
     return end.call(this, isSummary ? text.replace(/"open":\\d/, '"open":9') : body, ...rest);
   };`,
  );
  const refused = await upgrade(otherFigure);
  expect(refused.code).toBe(1);
  expect(refused.out).toMatch(/^ {2}product\/summary\.open: old 9, new 6$/m);
  expect(refused.error).toMatch(
    /^aqua: 1 of \d+ figures differ on the migrated copy: go on with the old build, or .*; the database is unchanged\n$/,
  );
  await expectUnchanged();

  const accepted = await upgrade(otherFigure, {}, ["--accept", "open"]);
  expect(accepted).toMatchObject({ code: 0, error: "" });
  expect(accepted.out).toMatch(/^ {2}product\/summary\.open: old 9, new 6$/m);
  expect(await migrations()).toBe(LAST);
});

it("aqua upgrade finds rows that are not those of the chain", async () => {
  await onServer(
    url,
    "update position set cost = cost + 1000000 where (block, log_index) = (select block, log_index from position where shares > 0 order by block desc, log_index desc limit 1)",
  );
  const { code, out, error } = await upgrade(sameBuild);
  expect(code).toBe(1);
  expect(out).toMatch(/are the same on the migrated copy\.\n/);
  expect(out).toMatch(/^ {2}account\/hold\/0x\w+\.items\[\d+\]\.principal: old [\d.]+, new [\d.]+/m);
  expect(error).toMatch(/figures differ recomputed from the chain by the new build: /);
  await expectUnchanged();
});

it("aqua upgrade changes nothing if a migration fails", async () => {
  // Tables and indexes share their names.
  const [taken] = [...newest.tables, ...newest.indexes];
  await onServer(url, `create table ${taken} (id int)`);
  // The old build must not migrate its copy either: it is of the version before.
  const { code, error } = await upgrade(sameBuild);
  expect(code).toBe(1);
  expect(error).toMatch(
    new RegExp(
      `^aqua: the migration ${newest.name} failed and nothing was changed: .*already exists.*; the database is unchanged\n$`,
    ),
  );
  await expectUnchanged();
});

it("aqua upgrade says in one line what is missing, and changes nothing", async () => {
  const gone = await upgrade(sameBuild, { [`RPC_URL_${CHAIN}`]: "http://127.0.0.1:9" });
  expect(gone).toMatchObject({
    code: 1,
    error: expect.stringMatching(
      /^aqua: the node of chain 31337 does not answer \(.*\); run the command again when it does; the database is unchanged\n$/,
    ),
  });
  const broken = await upgrade(
    await buildOf("broken", 'process.stderr.write("aqua: no licence\\n"); process.exit(3);'),
  );
  expect(broken).toMatchObject({
    code: 1,
    error: "aqua: the server of the old build ended (exit code 3: aqua: no licence); the database is unchanged\n",
  });
  // It may do with the tables what their owner may, but it may not create a database.
  await onServer(postgres.url, `create role plain_${database} login in role aqua`);
  const role = await upgrade(sameBuild, { DATABASE_URL: url.replace("aqua@", `plain_${database}@`) });
  expect(role).toMatchObject({
    code: 1,
    error: expect.stringMatching(
      /^aqua: no copy of the database could be made: permission denied .*createdb.*; the database is unchanged\n$/,
    ),
  });
  await expectUnchanged();
});

it("aqua upgrade names the reason if the copy cannot be filled, such as a full disk", async () => {
  const programs = await mkdtemp(join(folder, "bin-"));
  await symlink(join(bin, "pg_dump"), join(programs, "pg_dump"));
  await writeFile(
    join(programs, "pg_restore"),
    `#!/bin/sh\n[ "$1" = --version ] && exec ${bin}/pg_restore --version\nhead -c 1000 >/dev/null\necho 'could not extend file: No space left on device' >&2\nexit 1\n`,
  );
  await chmod(join(programs, "pg_restore"), 0o755);
  expect(await upgrade(sameBuild, { POSTGRES_BIN: programs })).toMatchObject({
    code: 1,
    error: "aqua: pg_restore ended with 1: could not extend file: No space left on device; the database is unchanged\n",
  });
  await expectUnchanged();
});

it("aqua upgrade ends at Ctrl-C, ends its servers and drops its copies", async () => {
  const program = join(repository, "apps/operator/bin/aqua.mjs");
  const child = spawn(process.execPath, [program, "upgrade", "--from", sameBuild, "--backup", backups], {
    cwd: repository,
    env: settings(url),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => {
      said += text.toString();
      if (/Comparing the figures/.test(text.toString())) child.kill("SIGINT");
    });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(said).toMatch(/\naqua: stopped; the database is unchanged\n$/);
  expect(code).toBe(1);
  await expectUnchanged();
});
