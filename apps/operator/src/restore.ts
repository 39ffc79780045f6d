import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "drizzle-orm";
import { connectDatabase, type Database, type Orm, reasonOf } from "../../server/src/db/database.ts";
import type { DeletionList } from "../../server/src/db/deletionList.ts";
import { countMigrations, migrate } from "../../server/src/db/migrate.ts";
import { StartRefused } from "../../server/src/errors.ts";
import { CommandError } from "./api.ts";
import { type ArchivedFile, checkArchive, hashOf, type Manifest, readArchive } from "./archive.ts";
import { backupFolders, deletionsOf } from "./backupFolders.ts";
import { databaseUrlOf } from "./migrate.ts";
import { endOf, findProgram, majorOf, serverVersion, startProgram } from "./postgresPrograms.ts";
import type { Terminal } from "./terminal.ts";

/** `aqua restore`: checks an archive of `aqua backup` and puts it back, or tries that in a temporary database. */
export async function runRestore(
  file: string,
  values: { identity?: string | undefined; rehearse?: true | undefined },
  terminal: Terminal,
): Promise<void> {
  const url = databaseUrlOf(terminal.environment);
  const identities = values.identity === undefined ? [] : await readIdentities(values.identity);
  const archive: Archive = { file, identities, manifest: await checkArchive(file, identities) };
  const { manifest } = archive;
  terminal.out(
    `${file} is whole: ${manifest.files.length} files, made ${manifest.time} by Aqua ${manifest.aqua}, with ${manifest.migrations} migrations.\n`,
  );
  const known = countMigrations();
  if (manifest.migrations > known) {
    throw new CommandError(
      `the backup is of a newer version: it has ${manifest.migrations} migrations, this version ${known}`,
    );
  }
  const program = await findProgram("pg_restore", terminal.environment);
  if (majorOf(program.version) < majorOf(manifest.postgres.pg_dump)) {
    throw new CommandError(
      `${program.path} is of PostgreSQL ${majorOf(program.version)}, older than the pg_dump of the backup, ${majorOf(manifest.postgres.pg_dump)}; set POSTGRES_BIN to the folder of a newer one`,
    );
  }
  try {
    const work = { archive, url, pgRestore: program.path, terminal };
    await (values.rehearse ? rehearse(work) : restore(work));
  } catch (error) {
    if (error instanceof StartRefused) throw new CommandError(error.message);
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new CommandError(`the restore ended before its end: ${message}`);
  }
}

interface Archive {
  file: string;
  identities: readonly string[];
  manifest: Manifest;
}

interface Work {
  archive: Archive;
  url: string;
  pgRestore: string;
  terminal: Terminal;
}

/** The private keys of a file as `age-keygen` writes it. */
async function readIdentities(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new CommandError(`--identity names a file that cannot be read: ${error.message}`);
  });
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}

async function restore({ archive, url, pgRestore, terminal }: Work): Promise<void> {
  const targets = await targetsOf(archive.manifest.files, terminal.environment);
  const db = await connectDatabase(url);
  try {
    await refuseOlderServer(db.orm, archive.manifest);
    await refuseFilled(db.orm);
  } finally {
    await db.close();
  }
  await restoreDatabase(archive, url, pgRestore);
  terminal.out("The database is restored.\n");
  const { written, deleted } = await restoreFiles(archive, targets, deletionsOf(terminal.environment));
  terminal.out(
    `${written} files were written; ${targets.size - written} were there already. ${deleted} deleted accounts were noted.\n` +
      "SECRET_KEY is not in a backup: start the server with the key of that day, and with the newest deleted-accounts.\n",
  );
}

const DELETED = "deleted-accounts";

/**
 * The paths of the files that are to be restored, by their names in the archive.
 * @throws CommandError if a folder is not set, or a file exists with another content
 */
async function targetsOf(
  files: readonly ArchivedFile[],
  environment: Terminal["environment"],
): Promise<Map<string, Target>> {
  const targets = new Map<string, Target>();
  const all = backupFolders(environment);
  for (const { name, sha256 } of files) {
    const folder = all.find((one) => name.startsWith(`${one.name}/`));
    if (folder === undefined) continue;
    if (folder.path === null) throw new CommandError(`the backup has files of ${folder.setting}: set it`);
    const path = join(folder.path, name.slice(folder.name.length + 1));
    const there = await hashOf(createReadStream(path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw new CommandError(`${path} cannot be read: ${error.message}`);
    });
    if (there !== null && there !== sha256) {
      throw new CommandError(`${path} exists and is not that of the backup; move it away. Nothing was changed`);
    }
    targets.set(name, { path, isThere: there !== null });
  }
  return targets;
}

async function refuseOlderServer(orm: Orm, { postgres }: Manifest): Promise<void> {
  const server = majorOf(await serverVersion(orm));
  if (server >= majorOf(postgres.server)) return;
  throw new CommandError(
    `the database is PostgreSQL ${server}, older than that of the backup, ${majorOf(postgres.server)}; nothing was changed`,
  );
}

async function refuseFilled(orm: Orm): Promise<void> {
  const { rows } = await orm.execute<{ database: string; tables: number }>(
    sql`select current_database() as database, count(*)::int as tables from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`,
  );
  const [{ database, tables } = { database: "", tables: 0 }] = rows;
  if (tables === 0) return;
  throw new CommandError(`the database ${database} is not empty; create an empty one. Nothing was changed`);
}

/** Fills an empty database. If anything fails, it stays empty. */
async function restoreDatabase(archive: Archive, url: string, pgRestore: string): Promise<void> {
  const child = startProgram(
    pgRestore,
    ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"],
    url,
  );
  const ended = endOf(child, "pg_restore");
  child.stdout?.resume();
  const fed = pipeline(Readable.from(dumpOf(archive)), child.stdin as NonNullable<typeof child.stdin>);
  const [feeding, restoring] = await Promise.allSettled([
    fed.catch((error: NodeJS.ErrnoException) => {
      // It has ended: for a reason of its own, or because it needs no more bytes. Its exit code tells which.
      if (error.code === "EPIPE" || error.code === "ERR_STREAM_PREMATURE_CLOSE") return;
      child.kill();
      throw error;
    }),
    ended,
  ]);
  if (feeding.status === "rejected") throw feeding.reason;
  if (restoring.status === "rejected") throw restoring.reason;
}

/** The parts of the dump. Each is compared with the manifest before it is passed on. */
async function* dumpOf({ file, identities, manifest }: Archive): AsyncGenerator<Uint8Array> {
  for await (const { name, content } of readArchive(file, identities)) {
    const part: Uint8Array[] = [];
    for await (const bytes of content) if (isOfDump(name)) part.push(bytes);
    if (!isOfDump(name)) continue;
    requireSame(manifest, name, await hashOf(part));
    yield* part;
  }
}

const isOfDump = (name: string) => name.startsWith("database/");

/** The archive was checked as a whole; this holds for a file that changes while it is read again. */
function requireSame({ files }: Manifest, name: string, sha256: string): void {
  if (files.find((one) => one.name === name)?.sha256 === sha256) return;
  throw new CommandError(`the archive has changed since it was checked: ${name}`);
}

interface Target {
  path: string;
  /** Whether the file exists, with the content of the backup. */
  isThere: boolean;
}

/** Writes the files that are not there yet and adds to the list of deleted accounts. */
async function restoreFiles(
  { file, identities, manifest }: Archive,
  targets: ReadonlyMap<string, Target>,
  deletions: DeletionList,
): Promise<{ written: number; deleted: number }> {
  let [written, deleted] = [0, 0];
  for await (const { name, content } of readArchive(file, identities)) {
    const target = targets.get(name);
    if (target?.isThere === false) {
      requireSame(manifest, name, await writeWhole(target.path, content));
      await rename(temporary(target.path), target.path);
      written += 1;
    } else if (name === DELETED) {
      // A list that is newer than the backup loses nothing.
      deleted = await deletions.add((await textOf(content)).split("\n").filter((hash) => hash !== ""));
    } else {
      for await (const _ of content);
    }
  }
  return { written, deleted };
}

const temporary = (path: string) => join(dirname(path), `.${basename(path)}.restoring`);

/** Writes a temporary file to the disk. Returns its hash. */
async function writeWhole(path: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const hash = createHash("sha256");
  const hashed = async function* () {
    for await (const bytes of content) {
      hash.update(bytes);
      yield bytes;
    }
  };
  await pipeline(hashed(), createWriteStream(temporary(path), { flush: true }));
  return hash.digest("hex");
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const bytes of content) parts.push(bytes);
  return Buffer.concat(parts).toString();
}

/**
 * Restores into a database beside that of DATABASE_URL, brings it to this version, counts its rows and drops it. No file
 * is written.
 */
async function rehearse({ archive, url, pgRestore, terminal }: Work): Promise<void> {
  const name = `aqua_rehearsal_${randomBytes(6).toString("hex")}`;
  const beside = new URL(url);
  beside.pathname = `/${name}`;
  const server = await connectDatabase(url);
  try {
    await refuseOlderServer(server.orm, archive.manifest);
    await server.orm.execute(sql.raw(`create database ${name} template template0 encoding 'UTF8'`)).catch((error) => {
      throw new CommandError(`no database for the rehearsal could be created: ${reasonOf(error)}`);
    });
    try {
      await restoreDatabase(archive, beside.href, pgRestore);
      const db = await connectDatabase(beside.href);
      try {
        const applied = await migrate(db);
        terminal.out(`The dump was restored into ${name}, and ${applied} migrations of this version were applied.\n`);
        terminal.out(rowsTable(await countRows(db)));
      } finally {
        await db.close();
      }
    } finally {
      await server.orm.execute(sql.raw(`drop database ${name} with (force)`));
      terminal.out(`${name} was dropped. Nothing else was changed.\n`);
    }
  } finally {
    await server.close();
  }
}

/** The number of rows of each table, without the parts of divided tables. */
async function countRows(db: Database): Promise<{ table: string; rows: number }[]> {
  return db.transaction(async (tx) => {
    // Counting a table of many readings takes longer than a statement may.
    await tx.execute(sql`set local statement_timeout = 0`);
    const { rows: tables } = await tx.execute<{ table: string }>(
      sql`select c.oid::regclass::text as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and not c.relispartition
          and n.nspname <> 'information_schema' and n.nspname !~ '^pg_' order by 1`,
    );
    const counts: { table: string; rows: number }[] = [];
    for (const { table } of tables) {
      const { rows } = await tx.execute<{ count: string }>(sql.raw(`select count(*) as count from ${table}`));
      counts.push({ table, rows: Number(rows[0]?.count) });
    }
    return counts;
  });
}

function rowsTable(counts: readonly { table: string; rows: number }[]): string {
  const filled = counts.filter(({ rows }) => rows > 0);
  const width = Math.max(4, ...filled.map(({ rows }) => String(rows).length));
  const lines = filled.map(({ table, rows }) => `${String(rows).padStart(width)}  ${table}\n`);
  const empty = counts.length - filled.length;
  return `${"ROWS".padStart(width)}  TABLE\n${lines.join("")}${"0".padStart(width)}  in each of ${empty} other tables\n`;
}
