import { createReadStream } from "node:fs";
import { access, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "@aqua/sdk/durations";
import { sql } from "drizzle-orm";
import { connectDatabase, type Orm } from "../../server/src/db/database.ts";
import { StartRefused } from "../../server/src/errors.ts";
import { version } from "../../server/src/version.ts";
import { CommandError } from "./api.ts";
import { type Manifest, type Source, writeArchive } from "./archive.ts";
import { backupFolders, deletionsOf, filesIn } from "./backupFolders.ts";
import { wholeOf } from "./chainOptions.ts";
import { databaseUrlOf } from "./migrate.ts";
import { endOf, findProgram, majorOf, serverVersion, startProgram } from "./postgresPrograms.ts";
import type { Terminal } from "./terminal.ts";

/** The dump is divided into files of this size, because a tar file states the size of each file before its content. */
const PART_BYTES = 8 * 1024 * 1024;
/** Bytes that are written at once. */
const WRITE_BYTES = 256 * 1024;

const archiveShape = /^aqua-backup-\d{8}T\d{6}Z\.tar(\.age)?$/;
const partialShape = /^\.aqua-backup-\d{8}T\d{6}Z\.tar(\.age)?\.partial$/;

/** `aqua backup`: writes one archive of the database and of the operator's files. */
export async function runBackup(
  options: { to: string; recipient?: string[] | undefined; keep?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const keep = wholeOf("keep", options.keep, 1);
  const { to: folder, recipient = [] } = options;
  const { manifest, file } = await backUp(folder, recipient, terminal.environment);
  const { size } = await stat(file);
  const others = manifest.files.filter(({ name }) => !name.startsWith("database/")).length;
  terminal.out(
    `${file}: ${(size / 1e6).toFixed(1)} MB, the database with ${manifest.migrations} migrations and ${others} files.\n`,
  );
  if (recipient.length === 0) terminal.out("It is not encrypted: whoever has it can read it.\n");
  terminal.out(
    "SECRET_KEY is not in it: store it apart. Without it nobody can read identities, documents and second factors.\n",
  );
  if (keep !== undefined) {
    const removed = await removeOlder(folder, keep);
    if (removed > 0) terminal.out(`${removed} older archives were removed.\n`);
  }
}

/** Writes the archive into `folder`. Returns its manifest and its path. */
export async function backUp(
  folder: string,
  recipients: readonly string[],
  environment: Terminal["environment"],
): Promise<{ manifest: Manifest; file: string }> {
  const url = databaseUrlOf(environment);
  const time = new Date();
  const name = `aqua-backup-${time.toISOString().replace(/\.\d+/, "").replace(/[-:]/g, "")}.tar${recipients.length > 0 ? ".age" : ""}`;
  const [file, partial] = [join(folder, name), join(folder, `.${name}.partial`)];
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new CommandError(`${file} exists already; run the command again`);
  const program = await findProgram("pg_dump", environment);
  const db = await connectDatabase(url).catch((error: unknown) => {
    throw error instanceof StartRefused ? new CommandError(error.message) : error;
  });
  try {
    const server = await serverVersion(db.orm);
    if (majorOf(program.version) < majorOf(server)) {
      throw new CommandError(
        `${program.path} is of PostgreSQL ${majorOf(program.version)}, older than the server's ${majorOf(server)}; set POSTGRES_BIN to the folder of a newer one`,
      );
    }
    const before = await migrationsOf(db.orm);
    const chainIds = new Set<number>();
    const manifest = await writeArchive(partial, recipients, {
      sources: sourcesOf({ url, pgDump: program.path, environment, chainIds }),
      about: async () => {
        const migrations = await migrationsOf(db.orm);
        if (migrations !== before) throw new CommandError("the database was migrated meanwhile; run the command again");
        return {
          format: "aqua-backup/1",
          time: time.toISOString(),
          aqua: version,
          node: process.versions.node,
          postgres: { server, pg_dump: program.version },
          migrations,
          chain_ids: [...chainIds].sort((a, b) => a - b),
        };
      },
    });
    await rename(partial, file);
    await syncFolder(folder);
    return { manifest, file };
  } catch (error) {
    await rm(partial, { force: true });
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new CommandError(`no archive was made: ${message}`);
  } finally {
    await db.close();
  }
}

/** Number of migrations that a database has. @throws CommandError for a database that no Aqua has migrated */
async function migrationsOf(orm: Orm): Promise<number> {
  const { rows } = await orm.execute<{ journal: string | null }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') as journal`,
  );
  if (rows[0]?.journal == null) throw new CommandError("the database of DATABASE_URL has no tables of Aqua");
  const counted = await orm.execute<{ count: number }>(
    sql`select count(*)::int as count from drizzle.__drizzle_migrations`,
  );
  return counted.rows[0]?.count ?? 0;
}

/**
 * Everything of a backup. The database comes first: whatever its rows name was in the folders before it was dumped, so it
 * is in the archive.
 */
async function* sourcesOf({
  url,
  pgDump,
  environment,
  chainIds,
}: {
  url: string;
  pgDump: string;
  environment: Terminal["environment"];
  /** Receives the ids of the chains with contracts. */
  chainIds: Set<number>;
}): AsyncGenerator<Source> {
  yield* dump(pgDump, url);
  const deleted = [...(await deletionsOf(environment).all())];
  const list = Buffer.from(deleted.map((hash) => `${hash}\n`).join(""));
  yield { name: "deleted-accounts", bytes: list.length, content: slicesOf(list) };
  for (const folder of backupFolders(environment)) {
    for (const file of await filesIn(folder)) {
      const [, chainId] = /^(\d+)\.json$/.exec(file) ?? [];
      if (folder.name === "deployments" && chainId !== undefined) chainIds.add(Number(chainId));
      yield await fileSource(`${folder.name}/${file}`, join(folder.path ?? "", file));
    }
  }
}

async function* dump(pgDump: string, url: string): AsyncGenerator<Source> {
  const child = startProgram(pgDump, ["--format=custom", "--no-unlogged-table-data"], url);
  const ended = endOf(child, "pg_dump");
  // It is awaited below; a failure before that must not end the process.
  ended.catch(() => {});
  try {
    let part = 0;
    const source = (content: Buffer): Source => ({
      name: `database/${String(part++).padStart(6, "0")}`,
      bytes: content.length,
      content: slicesOf(content),
    });
    let waiting: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of child.stdout ?? []) {
      waiting.push(chunk);
      bytes += chunk.length;
      if (bytes < PART_BYTES) continue;
      yield source(Buffer.concat(waiting));
      [waiting, bytes] = [[], 0];
    }
    await ended;
    if (bytes > 0) yield source(Buffer.concat(waiting));
  } finally {
    child.kill();
  }
}

function* slicesOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += WRITE_BYTES) yield content.subarray(at, at + WRITE_BYTES);
}

async function fileSource(name: string, path: string): Promise<Source> {
  const { size } = await stat(path);
  // What is appended from now on is not in the archive.
  return {
    name,
    bytes: size,
    content: size === 0 ? [] : createReadStream(path, { end: size - 1, highWaterMark: WRITE_BYTES }),
  };
}

/** A renamed file is there after a loss of power only once its folder is on the disk. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Removes all archives of this command in a folder but the newest `keep`, and what backups left that were killed more
 * than a day ago. Returns the number of archives.
 */
async function removeOlder(folder: string, keep: number): Promise<number> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const names = entries.map(({ name }) => name);
  // The time in the name sorts by age.
  const older = names
    .filter((name) => archiveShape.test(name))
    .sort()
    .slice(0, -keep);
  for (const name of older) await rm(join(folder, name));
  for (const name of names.filter((name) => partialShape.test(name))) {
    const { mtimeMs } = await stat(join(folder, name));
    if (mtimeMs < Date.now() - DAY_MS) await rm(join(folder, name));
  }
  return older.length;
}
