import { randomBytes } from "node:crypto";
import { access, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { connectDatabase, type Database, reasonOf } from "../../server/src/db/database.ts";
import { countPending, migrate } from "../../server/src/db/migrate.ts";
import { StartRefused } from "../../server/src/errors.ts";
import { folders } from "../../server/src/folders.ts";
import { CommandError } from "./api.ts";
import { backUp } from "./backup.ts";
import { databaseUrlOf } from "./migrate.ts";
import { endOf, findProgram, majorOf, serverVersion, startProgram } from "./postgresPrograms.ts";
import type { Terminal } from "./terminal.ts";
import { copyEnvironment, ownServer, type RunningServer, startServer } from "./upgrade/build.ts";
import { type Comparison, callsOf, compareServers, differencesInWords, isOfField } from "./upgrade/figures.ts";
import { pinNode } from "./upgrade/pinnedNode.ts";

/**
 * `aqua upgrade`: migrates a copy of the database, compares the figures of the old and the new build on copies, and only
 * then migrates the database itself.
 */
export async function runUpgrade(
  {
    from,
    backup,
    recipient = [],
    accept = [],
  }: { from: string; backup: string; recipient?: string[] | undefined; accept?: string[] | undefined },
  terminal: Terminal,
): Promise<void> {
  const url = databaseUrlOf(terminal.environment);
  const oldServer = resolve(from, "server.js");
  await access(oldServer).catch(() => {
    throw new CommandError(`--from names no build: ${oldServer} is missing`);
  });
  await access(backup).catch((error: Error) => {
    throw new CommandError(`--backup names no folder: ${error.message}`);
  });
  try {
    const pending = await withDatabase(url, (db) => countPending(db));
    await rehearse({ url, oldServer, accept, terminal });
    const { file } = await backUp(backup, recipient, terminal.environment);
    terminal.out(`${file} holds everything of before.\n`);
    if (pending === 0) return terminal.out("The database is of this version. Start the servers with the new build.\n");
    const applied = await withDatabase(url, (db) =>
      migrate(db, { waiting: () => terminal.out("Another process migrates the database; waiting for its end.\n") }),
    );
    terminal.out(`${applied} migrations were applied. Restart the servers with the new build, one after the other.\n`);
  } catch (error) {
    throw isRefusal(error) ? new CommandError(error.message) : error;
  }
}

async function withDatabase<Result>(url: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = await connectDatabase(url);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

interface Rehearsal {
  url: string;
  /** Path of the old build's `server.js`. */
  oldServer: string;
  /** Fields that may differ. */
  accept: readonly string[];
  terminal: Terminal;
}

/**
 * Compares the two builds on two copies. Whatever happens, the copies are dropped and the database was only read.
 * @throws CommandError if a figure differs or something fails
 */
async function rehearse(rehearsal: Rehearsal): Promise<void> {
  const { url, terminal } = rehearsal;
  const id = randomBytes(6).toString("hex");
  const names = { old: `aqua_upgrade_${id}_old`, new: `aqua_upgrade_${id}_new` } as const;
  const stopping = new AbortController();
  const { signal } = stopping;
  const fail = (error: CommandError) => stopping.abort(error);
  const stop = () => fail(new CommandError("stopped"));
  const admin = await connectDatabase(url);
  const dataDir = await mkdtemp(join(tmpdir(), "aqua-upgrade-"));
  for (const name of stopSignals) process.on(name, stop);
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const end of closers) await end();
    for (const name of Object.values(names)) await unlimited(admin, `drop database if exists ${name} with (force)`);
  };
  try {
    await nameLeftovers(admin, terminal);
    const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const work = compareBuilds({ ...rehearsal, names, admin, dataDir, closers, fail, signal });
    await Promise.race([work, aborted]).catch(async (error: unknown) => {
      stopping.abort(error);
      // What still works on a copy ends with it. What fails from here on follows from `error`, which is reported; a copy
      // that cannot be dropped is reported below.
      await close().catch(() => {});
      await work.catch(() => {});
      throw isRefusal(error) ? new CommandError(`${error.message}; the database is unchanged`) : error;
    });
  } finally {
    await close().catch((error: unknown) => {
      const left = Object.values(names).join(" and ");
      terminal.error(`aqua: ${left} could not be dropped: ${reasonOf(error)}; drop both yourself\n`);
    });
    await admin.close();
    await rm(dataDir, { recursive: true, force: true });
    for (const name of stopSignals) process.off(name, stop);
  }
}

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const isRefusal = (error: unknown): error is Error => error instanceof CommandError || error instanceof StartRefused;

/** Names the copies that an upgrade left which was killed. */
async function nameLeftovers(admin: Database, terminal: Terminal): Promise<void> {
  const { rows } = await admin.orm.execute<{ name: string }>(
    sql`select datname as name from pg_database where datname ~ '^aqua_upgrade_[0-9a-f]{12}_(old|new)$' order by 1`,
  );
  for (const { name } of rows) terminal.out(`${name} is of another upgrade; drop it if none runs now.\n`);
}

/** Runs a statement that may take as long as it takes. The pool gives a single caller the same connection each time. */
async function unlimited(db: Database, statement: string): Promise<void> {
  await db.orm.execute(sql`set statement_timeout = 0`);
  await db.orm.execute(sql.raw(statement));
}

interface Work extends Rehearsal {
  names: { old: string; new: string };
  admin: Database;
  /** An empty folder, which is removed afterwards. */
  dataDir: string;
  /** Receives what ends the parts that were started. */
  closers: (() => unknown)[];
  fail: (error: CommandError) => void;
  signal: AbortSignal;
}

async function compareBuilds(work: Work): Promise<void> {
  const { url, oldServer, terminal, names, dataDir, closers, fail, signal } = work;
  const say = (line: string) => terminal.out(`${line}\n`);
  const urls = { old: besides(url, names.old), new: besides(url, names.new) };
  say("Copying the database …");
  await copyDatabase(work, urls.old);
  signal.throwIfAborted();
  const applied = await withDatabase(urls.new, (db) => migrate(db));
  say(`${applied} migrations were applied to the copy.`);

  const { chains, calls } = await withDatabase(urls.old, async (db) => ({
    chains: await chainsOf(db, terminal.environment),
    calls: await callsOf(db.orm),
  }));
  const rpcUrls = new Map<number, string>();
  for (const chain of chains) {
    const node = await pinNode({ ...chain, gone: fail });
    closers.push(node.close);
    rpcUrls.set(chain.chainId, node.url);
  }
  // Without SECRET_KEY the servers share the key of this folder.
  const key = join(resolve(terminal.environment.DATA_DIR?.trim() || folders.data), "secret.key");
  await copyFile(key, join(dataDir, "secret.key")).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  const serve = async (name: "old" | "new", more: Record<string, string> = {}) => {
    signal.throwIfAborted();
    const args = name === "old" ? [oldServer] : ownServer;
    const own = { databaseUrl: urls[name], dataDir, rpcUrls };
    const environment = { ...copyEnvironment(terminal.environment, own), ...more };
    const server = startServer(args, { name, environment, ended: fail });
    closers.push(server.stop);
    return server.listening;
  };
  if (chains.length === 0) {
    await serve("new");
    say("The new build starts on the copy. No chain of the settings is in the database, so there are no figures.");
    return;
  }
  const blocks = chains.map(({ chainId, block }) => `block ${block} of chain ${chainId}`).join(" and ");
  say(`Comparing the figures of ${blocks} …`);
  const old = await serve("old");
  const migrated = await serve("new");
  const expectSame = async (newUrl: string, what: string) => {
    const compared = await compareServers({ oldUrl: old.url, newUrl, calls, signal });
    if (compared.count === 0) throw new CommandError("the old build serves no figures to compare");
    refuseDifferences(compared, work, what);
    const same = compared.count - compared.differences.length;
    say(`${same} figures, of ${compared.wallets} wallets among others, are the same ${what}.`);
  };
  await expectSame(migrated.url, "on the migrated copy");

  await migrated.stop();
  const ids = chains.map(({ chainId }) => chainId);
  const reindexed = await serve("new", { ROLES: "web,indexer", REINDEX_CHAINS: ids.join() });
  await withDatabase(urls.new, (db) => untilIndexed({ db, server: reindexed, chains, say, signal }));
  await expectSame(reindexed.url, "recomputed from the chain by the new build");
}

function refuseDifferences({ differences, count }: Comparison, { accept, terminal }: Rehearsal, what: string): void {
  if (differences.length === 0) return;
  terminal.out(differencesInWords(differences));
  const refused = differences.filter(({ path }) => !accept.some((field) => isOfField(path, field)));
  if (refused.length === 0) return;
  throw new CommandError(
    `${refused.length} of ${count} figures differ ${what}: go on with the old build, or add --accept for each field that differs because the changelog says so`,
  );
}

function besides(url: string, name: string): string {
  const beside = new URL(url);
  beside.pathname = `/${name}`;
  return beside.href;
}

/** Makes two equal copies of the database, from one dump of it. */
async function copyDatabase({ url, names, admin, terminal, closers, signal }: Work, copyUrl: string): Promise<void> {
  const [pgDump, pgRestore] = [
    await findProgram("pg_dump", terminal.environment),
    await findProgram("pg_restore", terminal.environment),
  ];
  const server = majorOf(await serverVersion(admin.orm));
  if (majorOf(pgDump.version) < server) {
    throw new CommandError(
      `${pgDump.path} is of PostgreSQL ${majorOf(pgDump.version)}, older than the server's ${server}; set POSTGRES_BIN to the folder of a newer one`,
    );
  }
  const create = (name: string, template: string) =>
    unlimited(admin, `create database ${name} template ${template} encoding 'UTF8'`).catch((error: unknown) => {
      throw new CommandError(
        `no copy of the database could be made: ${reasonOf(error)}; the role needs the right to create databases (alter role … createdb), and the disk as much space again, twice`,
      );
    });
  await create(names.old, "template0");
  signal.throwIfAborted();
  const dump = startProgram(pgDump.path, ["--format=custom", "--compress=0", "--no-unlogged-table-data"], url);
  const restore = startProgram(pgRestore.path, ["--no-owner", "--no-privileges", "--exit-on-error"], copyUrl);
  closers.push(
    () => dump.kill(),
    () => restore.kill(),
  );
  restore.stdout?.resume();
  const { stdout } = dump;
  const { stdin } = restore;
  if (stdout === null || stdin === null) throw new Error("the programs have no pipes");
  // If one of them fails, the other fails because of it. Only a failed pg_restore breaks the pipe: a failed pg_dump ends it.
  const isBroken = pipeline(stdout, stdin).then(
    () => false,
    () => true,
  );
  const [dumped, restored] = await Promise.allSettled([endOf(dump, "pg_dump"), endOf(restore, "pg_restore")]);
  const inOrder = (await isBroken) ? [restored, dumped] : [dumped, restored];
  const failed = inOrder.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  signal.throwIfAborted();
  // The restored tables have no statistics yet, and the servers' queries would be slow.
  await withDatabase(copyUrl, (db) => unlimited(db, "analyze"));
  await create(names.new, names.old);
}

interface CopiedChain {
  chainId: number;
  rpcUrls: string[];
  /** The last block that the database holds. */
  block: number;
  hash: string;
}

/** The chains that the database holds and for which there is a node. */
async function chainsOf(db: Database, environment: Terminal["environment"]): Promise<CopiedChain[]> {
  const { rows } = await db.orm.execute<{ chain_id: string; block: string; hash: string }>(
    sql`select chain_id, block, hash from chain_cursor where block is not null order by chain_id`,
  );
  return rows.flatMap(({ chain_id: chainId, block, hash }) => {
    const rpcUrls = (environment[`RPC_URL_${chainId}`] ?? "").split(",").map((url) => url.trim());
    const set = rpcUrls.filter((url) => url !== "");
    return set.length === 0 ? [] : [{ chainId: Number(chainId), rpcUrls: set, block: Number(block), hash }];
  });
}

const POLL_MS = 500;
/** States of an indexer that do not end by waiting. */
const faults: Record<string, string> = {
  figures_differ: "the totals of a contract differ from the sums of its events",
  reorg_too_deep: "the contracts are not those of the database",
};

/** Resolves when the new build has read every chain again up to the block of the old copy, however long that takes. */
async function untilIndexed({
  db,
  server,
  chains,
  say,
  signal,
}: {
  db: Database;
  server: RunningServer;
  chains: readonly CopiedChain[];
  say: (line: string) => void;
  signal: AbortSignal;
}): Promise<void> {
  for (const { chainId, block } of chains) {
    for (let said = ""; ; ) {
      const { rows } = await db.orm.execute<{ block: string | null; state: string }>(
        sql`select block, state from chain_cursor where chain_id = ${chainId}`,
      );
      const [row] = rows;
      const fault = faults[row?.state ?? ""];
      if (fault !== undefined)
        throw new CommandError(`the new build cannot index chain ${chainId}: ${fault} (${server.reason()})`);
      const at = Number(row?.block ?? 0);
      if (at >= block) break;
      const percent = Math.floor((at / block) * 10) * 10;
      const waits = row?.state === "node_unavailable" ? "; waiting for the node" : "";
      const line = `Reading chain ${chainId} again: ${percent} %${waits}`;
      if (line !== said) say(line);
      said = line;
      await sleep(POLL_MS, undefined, { signal });
    }
  }
}
