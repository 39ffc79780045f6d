import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { binaries } from "../../src/db/embedded/binaries.ts";
import { startCluster, stopCluster } from "../../src/db/embedded/cluster.ts";
import {
  DataFolderInUse,
  type EmbeddedDatabase,
  removeEmbedded,
  startEmbedded,
} from "../../src/db/embedded/embedded.ts";
import { homeOf } from "../../src/db/embedded/home.ts";
import { dataFolder } from "../support/dataFolder.ts";

/** The long form kills twenty times, in `npm run test:long`. */
const KILLS = process.env.AQUA_SOAK ? 20 : 1;
const serverFolder = fileURLToPath(new URL("../..", import.meta.url));
/** Some cases need root; for other users they do not exist. */
const itAsRoot = process.getuid?.() === 0 ? it : () => {};
const itAsRootLong = process.env.AQUA_SOAK ? itAsRoot : () => {};

async function start(dataDir: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir });
  onTestFinished(() => database.stop().catch(() => {}));
  return database;
}

async function query(database: Pick<EmbeddedDatabase, "connection">, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(database.connection);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const postmasterOf = async (folder: string) =>
  Number((await readFile(join(folder, "postgres/data/postmaster.pid"), "utf8")).split("\n")[0]);

async function refusal(folder: string): Promise<Error> {
  const answer = await startEmbedded({ dataDir: folder }).catch((error: unknown) => error as Error);
  if (!(answer instanceof Error)) {
    await answer.stop();
    throw new Error("it started");
  }
  return answer;
}

/** Writes numbers one after the other and reports each that is committed. */
const writer = `
  import pg from "pg";
  import { startEmbedded } from "./src/db/embedded/embedded.ts";
  const { connection } = await startEmbedded({ dataDir: process.argv[1] });
  const client = new pg.Client(connection);
  client.on("error", () => process.exit(1));
  await client.connect();
  await client.query("create table if not exists witness (n int primary key)");
  let { n } = (await client.query("select coalesce(max(n), 0) as n from witness")).rows[0];
  for (;;) {
    n += 1;
    await client.query("insert into witness values ($1)", [n]);
    process.stdout.write(n + "\\n");
  }
`;

async function launchWriter(folder: string): Promise<{ child: ChildProcess; last: () => number }> {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", writer, folder], {
    cwd: serverFolder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-100);
  });
  const last = () => Number(said.split("\n").at(-2) ?? 0);
  await expect.poll(last).toBeGreaterThan(0);
  return { child, last };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it("the embedded database stores its data in the data folder from one start to the next, and leaves nothing running", async () => {
  const folder = await dataFolder();
  const first = await start(folder);
  await query(first, "create table kept as select 1 as n");
  const pid = await postmasterOf(folder);
  await first.stop();
  await expect.poll(() => isRunning(pid)).toBe(false);
  const second = await start(folder);
  expect(await query(second, "select * from kept")).toEqual([{ n: 1 }]);
});

it("the embedded database flushes each commit to the disk", async () => {
  const folder = await dataFolder();
  const database = await startEmbedded({ dataDir: folder });
  const [row] = await query(
    database,
    "select current_setting('fsync') as a, current_setting('synchronous_commit') as b",
  );
  await database.stop();
  expect(row).toEqual({ a: "on", b: "on" });
});

it("the embedded database rejects a folder that another process uses and names that process, even if both start at once", async () => {
  const folder = await dataFolder();
  const both = await Promise.allSettled([start(folder), start(folder)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const refused = both.find((one) => one.status === "rejected")?.reason as Error;
  expect(refused).toBeInstanceOf(DataFolderInUse);
  expect(refused.message).toBe(`${folder} is in use by process ${process.pid}; stop it first or set another DATA_DIR`);
});

it("the embedded database restarts by itself after it was killed, with everything that was committed", async () => {
  const folder = await dataFolder();
  const database = await start(folder);
  await query(database, "create table kept as select 1 as n");
  process.kill(await postmasterOf(folder), "SIGKILL");
  await expect.poll(() => query(database, "select * from kept").catch(() => null)).toEqual([{ n: 1 }]);
  // The folder is still locked.
  await expect.poll(async () => (await refusal(folder)).message).toContain("in use by");
});

it.each(["the server", "the database", "both"])(
  `the embedded database loses nothing it has committed when %s is killed (${KILLS} times), and the next start takes over`,
  async (victim) => {
    const folder = await dataFolder();
    let known = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { child, last } = await launchWriter(folder);
      await sleep(Math.random() * 300);
      const ended = once(child, "exit");
      const postmaster = await postmasterOf(folder);
      if (victim !== "the server") process.kill(postmaster, "SIGKILL");
      if (victim !== "the database") child.kill("SIGKILL");
      await ended;
      known = Math.max(known, last());
      const database = await start(folder);
      // A server left running by the killed process is reused.
      expect((await postmasterOf(folder)) === postmaster).toBe(victim === "the server");
      const [row] = await query(database, "select max(n) as n, count(*)::int as rows from witness");
      expect(row?.n).toBe(row?.rows);
      expect(row?.n).toBeGreaterThanOrEqual(known);
      known = Number(row?.n);
      await database.stop();
    }
    expect(known).toBeGreaterThan(0);
  },
  KILLS * 40_000,
);

it("the embedded database ends a few seconds after its server was killed, and stays if another one takes over", async () => {
  const folder = await dataFolder();
  const first = await launchWriter(folder);
  const postmaster = await postmasterOf(folder);
  const ended = once(first.child, "exit");
  first.child.kill("SIGKILL");
  await ended;
  const successor = await launchWriter(folder);
  expect(await postmasterOf(folder)).toBe(postmaster);
  const written = successor.last();
  // Longer than the killed server's guard waits.
  await sleep(4_000);
  expect(isRunning(postmaster)).toBe(true);
  expect(successor.last()).toBeGreaterThan(written);
  successor.child.kill("SIGKILL");
  await expect.poll(() => isRunning(postmaster)).toBe(false);
});

it("the embedded database is not ended while it recovers, however long that takes after its server was killed", async () => {
  const folder = await dataFolder();
  const first = await launchWriter(folder);
  const ended = once(first.child, "exit");
  process.kill(await postmasterOf(folder), "SIGKILL");
  first.child.kill("SIGKILL");
  await ended;
  // As a start that still waits for the recovery: it runs, and nobody has taken it over yet.
  const home = await homeOf(folder);
  const cluster = { bin: await binaries(home.user, home.shared), home };
  await expect.poll(() => startCluster(cluster).then(() => "runs", String)).toBe("runs");
  onTestFinished(() => stopCluster(cluster));
  // Longer than the killed server's guard waits.
  await sleep(4_000);
  expect(isRunning(await postmasterOf(folder))).toBe(true);
});

it("the embedded database waits for the last transaction of a killed server, and advises if that does not end", async () => {
  const folder = await dataFolder();
  const first = await start(folder);
  const client = new pg.Client(first.connection);
  client.on("error", () => {});
  await client.connect();
  const end = join(folder, "postgres/data/end-of-loop");
  onTestFinished(() => writeFileSync(end, ""));
  // A backend in a loop notices the death of its server only after the loop.
  const looped = client.query(`do $$ begin while (pg_stat_file('${end}', true)).size is null loop end loop; end $$`);
  const looping = "select count(*)::int as n from pg_stat_activity where query like 'do %' and state = 'active'";
  await expect.poll(() => query(first, looping)).toEqual([{ n: 1 }]);
  process.kill(await postmasterOf(folder), "SIGKILL");
  await first.stop();
  await expect(startEmbedded({ dataDir: folder, leaveWithinMs: 0 })).rejects.toThrow(
    /processes of a killed server still use it; end them or wait, then start again/,
  );
  const log = { info: vi.fn(), warn: vi.fn(() => writeFileSync(end, "")), error: vi.fn() };
  const second = await startEmbedded({ dataDir: folder, log });
  onTestFinished(() => second.stop());
  expect(log.warn.mock.calls).toEqual([["waiting for the processes of a killed database to end"]]);
  await looped;
  expect(await query(second, "select 1 as n")).toEqual([{ n: 1 }]);
});

it("the embedded database starts if an unrelated process has the id that a dead server left behind", async () => {
  const folder = await dataFolder();
  const first = await start(folder);
  const file = join(folder, "postgres/data/postmaster.pid");
  const left = await readFile(file, "utf8");
  await first.stop();
  await writeFile(file, left.replace(/^\d+/, String(process.pid)));
  const second = await start(folder);
  expect(await query(second, "select 1 as n")).toEqual([{ n: 1 }]);
});

it("the embedded database opens with a torn end of its log, and rejects files it cannot trust instead of starting empty", async () => {
  const folder = await dataFolder();
  const data = join(folder, "postgres/data");
  const first = await start(folder);
  await query(first, "create table kept as select 1 as n; checkpoint");
  await query(first, "create table later as select generate_series(1, 1000) as n");
  process.kill(await postmasterOf(folder), "SIGKILL");
  await first.stop();
  const [segment] = (await readdir(join(data, "pg_wal"))).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort();
  const log = join(data, "pg_wal", segment ?? "");
  // The log file is filled with zeroes to its end. The test cuts off the end of the used part.
  const bytes = await readFile(log);
  const used = bytes.findLastIndex((byte) => byte !== 0);
  await truncate(log, used - 2_000);
  const second = await startEmbedded({ dataDir: folder }).catch((error: Error) => error);
  if (second instanceof Error) expect(second.message).toMatch(/restore a backup.*(PANIC|FATAL)/);
  else {
    expect(await query(second, "select * from kept")).toEqual([{ n: 1 }]);
    await second.stop();
  }

  await rm(join(data, "global/pg_control"));
  expect((await refusal(folder)).message).toContain("restore a backup");
  await rm(join(data, "PG_VERSION"));
  expect((await refusal(folder)).message).toMatch(/incomplete.*restore a backup/);
});

itAsRootLong(
  "goes on exactly where it stood once a full disk has room again",
  async () => {
    const folder = await dataFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=90m,mode=755", "tmpfs", folder]);
    onTestFinished(() => void execFileSync("umount", [folder]));
    const database = await start(folder);
    await query(database, "create table kept as select 0 as n; checkpoint");
    const filler = join(folder, "filler");
    await writeFile(filler, Buffer.alloc(90 * 1024 * 1024)).catch(() => {});
    let known = 0;
    const count = async () => {
      // Large records, so that the log needs more room before the table does.
      await query(database, "select pg_logical_emit_message(true, 'filler', repeat('-', 200000))");
      await query(database, "update kept set n = n + 1");
      known += 1;
    };
    await expect.poll(() => count().catch((error: Error) => error.message)).toMatch(/./);
    await sleep(3_000);
    await rm(filler);
    await expect.poll(() => count().catch((error: Error) => error.message)).toBe(undefined);
    expect(await query(database, "select n from kept")).toEqual([{ n: known }]);
    await database.stop();
  },
  120_000,
);

it("the embedded database rejects a cluster of another release, and a data folder of an earlier kind", async () => {
  const other = await dataFolder();
  await mkdir(join(other, "postgres/data"), { recursive: true });
  await writeFile(join(other, "postgres/data/PG_VERSION"), "17\n");
  expect((await refusal(other)).message).toContain("written by PostgreSQL 17, and this is 18");

  const earlier = await dataFolder();
  await mkdir(join(earlier, "db"));
  await writeFile(join(earlier, "db/PG_VERSION"), "17\n");
  expect((await refusal(earlier)).message).toBe(
    `${earlier} holds an embedded database of an earlier kind, which this version cannot read; npm run reset removes it`,
  );
});

it("the embedded database works in a folder with a long name that contains spaces, quotes and non-ASCII letters", async () => {
  const folder = join(await dataFolder(), `it's a "tide" 潮 ${"long".repeat(30)}`);
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const database = await start(folder);
  expect(await query(database, "select 1 as n")).toEqual([{ n: 1 }]);
  await database.stop();
});

it("the embedded database works in a folder that is reached by a link, without a warning about root", async () => {
  const folder = await dataFolder();
  const link = `${folder}-link`;
  await symlink(folder, link);
  onTestFinished(() => rm(link));
  const said: unknown[] = [];
  const note = (text: unknown) => void said.push(text);
  const database = await startEmbedded({ dataDir: link, log: { info: note, warn: note, error: note } });
  expect(await query(database, "select 1 as n")).toEqual([{ n: 1 }]);
  await database.stop();
  expect(said).toEqual([]);
});

it("the embedded database makes its files unreadable for other users", async () => {
  const folder = await dataFolder();
  await start(folder);
  expect((await stat(join(folder, "postgres"))).mode & 0o077).toBe(0);
  expect((await stat(join(folder, "postgres/data/aqua-password"))).mode & 0o077).toBe(0);
});

itAsRoot(
  "the embedded database is outside a folder that only root may enter, reports that, and is removed with the folder",
  async () => {
    const folder = await dataFolder();
    await chmod(folder, 0o700);
    const said: string[] = [];
    const note = (text: unknown) => void said.push(String(text));
    const first = await startEmbedded({ dataDir: folder, log: { info: note, warn: note, error: note } });
    const outside = (await readFile(join(folder, "postgres.path"), "utf8")).trim();
    expect(said).toEqual([`only root may enter ${folder}: its database is in ${outside}`]);
    await query(first, "create table kept as select 1 as n");
    await first.stop();
    const second = await start(folder);
    expect(await query(second, "select * from kept")).toEqual([{ n: 1 }]);

    await expect(removeEmbedded(folder)).rejects.toThrow("in use by process");
    await second.stop();
    await removeEmbedded(folder);
    expect(existsSync(outside)).toBe(false);
    expect(existsSync(join(folder, "postgres.path"))).toBe(false);
    await writeFile(join(folder, "postgres.path"), `${outside}\n`);
    expect((await refusal(folder)).message).toContain("which is gone; restore it from a backup");
    await rm(join(folder, "postgres.path"));
  },
);
