import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { ClientConfig } from "pg";
import { StartRefused } from "../../errors.ts";
import { POSTGRES_MAJOR } from "./binaries.ts";
import { isCode, readIfThere } from "./files.ts";
import type { Home } from "./home.ts";

const run = promisify(execFile);

const USER = "aqua";
/** Maximum length of a socket path on macOS (103 bytes; 107 on Linux). */
const LONGEST_SOCKET = 103;
const START_WITHIN_MS = 60_000;
const STOP_WITHIN_S = 8;

/** Processes of a killed server have not ended yet, and PostgreSQL does not start a second server beside them. */
export class NotLeftYet extends StartRefused {
  override name = "NotLeftYet";
}

/** One embedded PostgreSQL server: its programs and its files. */
export interface Cluster {
  bin: string;
  home: Home;
}

const dataOf = ({ folder }: Home) => join(folder, "data");
const logOf = ({ folder }: Home) => join(folder, "postgres.log");
const passwordOf = (home: Home) => join(dataOf(home), "aqua-password");

/**
 * Creates the cluster if there is none. Creation is atomic. If several processes create it at once, one of them wins.
 * @throws StartRefused if the folder has files of another release or an incomplete cluster
 */
export async function createCluster(cluster: Cluster): Promise<void> {
  const { home } = cluster;
  const data = dataOf(home);
  if (existsSync(data)) return checkVersion(data);
  const draft = await mkdtemp(join(home.folder, "draft-"));
  try {
    if (home.user) await chown(draft, home.user.uid, home.user.gid);
    const password = join(draft, "password");
    await writeFile(password, randomBytes(24).toString("hex"), { mode: 0o600 });
    if (home.user) await chown(password, home.user.uid, home.user.gid);
    const inside = join(draft, "data");
    await program(cluster, "initdb", [
      ...["-D", inside, "-U", USER, "--pwfile", password, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C"],
      "--no-instructions",
    ]);
    await rename(password, join(inside, "aqua-password"));
    await rename(inside, data);
  } catch (error) {
    if (!existsSync(data)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function checkVersion(data: string): Promise<void> {
  const version = await readFile(join(data, "PG_VERSION"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (isCode(error, "EACCES")) {
      throw new StartRefused(`${data} belongs to another user; start Aqua as the user who made it`);
    }
    throw new StartRefused(`${data} is incomplete (PG_VERSION is missing); restore a backup of it`);
  });
  if (version.trim() !== POSTGRES_MAJOR) {
    throw new StartRefused(
      `${data} was written by PostgreSQL ${version.trim()}, and this is ${POSTGRES_MAJOR}; move it with pg_dump, or set DATABASE_URL`,
    );
  }
}

/**
 * Starts the server of the cluster.
 * @throws StartRefused with the server's output if it ends before it accepts connections; NotLeftYet if waiting may
 * help
 */
export async function startCluster(cluster: Cluster): Promise<void> {
  const { bin, home } = cluster;
  const data = dataOf(home);
  await forgetDeadServer(home);
  await writeFile(join(data, "postgresql.conf"), await settingsOf(home), { mode: 0o644 });
  const log = await open(logOf(home), "w", 0o600);
  // The server runs in a session of its own. Otherwise, a signal from the terminal to its whole session would end the
  // server before this process.
  const child = spawn(join(bin, "postgres"), ["-D", data], {
    ...surroundings(home),
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  let ended: string | null = null;
  child.once("error", (error) => {
    ended = error.message;
  });
  child.once("exit", (code, signal) => {
    ended = `it ended with ${signal ?? code}`;
  });
  child.unref();
  await log.close();
  const deadline = Date.now() + START_WITHIN_MS;
  while ((await connectionOf(home)) === null || (await stateOf(home)) !== "ready") {
    if (ended === null && Date.now() < deadline) {
      await sleep(10);
      continue;
    }
    child.kill("SIGQUIT");
    const output = await lastLogLines(home, ended ?? "nothing");
    const refusal = (remedy: string) =>
      `the embedded database in ${data} does not start; ${remedy}. It said: ${output}`;
    if (output.includes("pre-existing shared memory block"))
      throw new NotLeftYet(refusal("processes of a killed server still use it; end them or wait, then start again"));
    throw new StartRefused(refusal("make room where the disk is full, restore a backup where files are damaged"));
  }
}

/** Stops the server of the cluster. It asks its clients to disconnect, and writes all data out if there is time. */
export async function stopCluster(cluster: Cluster): Promise<void> {
  for (const mode of ["fast", "immediate"]) {
    const server = await serverOf(cluster.home);
    if (server === null || !(await isServer(server.pid))) return;
    try {
      const args = ["stop", "-w", "-t", String(STOP_WITHIN_S), "-s", "-m", mode, "-D", dataOf(cluster.home)];
      await program(cluster, "pg_ctl", args);
      return;
    } catch (error) {
      // After the second mode, no committed data is lost either, because the next start reads the log.
      if (mode === "immediate" && (await isServer(server.pid))) throw error;
    }
  }
}

/** Returns the connection settings of the server whose process id is in the cluster, or null if there is none. */
export async function connectionOf(home: Home): Promise<ClientConfig | null> {
  const server = await serverOf(home);
  if (server === null) return null;
  const password = await readFile(passwordOf(home), "utf8");
  return { host: server.host, port: server.port, user: USER, password, database: "postgres" };
}

interface ServerFile {
  pid: number;
  port: number;
  host: string;
}

/** Path of the file whose first line is the server's process id. */
export const pidFileOf = (home: Home) => join(dataOf(home), "postmaster.pid");

/** The lines of postmaster.pid: process, folder, time, port, socket folder, address, shared memory, state. */
async function linesOf(home: Home): Promise<string[]> {
  const text = (await readIfThere(pidFileOf(home))) ?? "";
  return text.split("\n").map((line) => line.trim());
}

async function serverOf(home: Home): Promise<ServerFile | null> {
  const [pid, , , port, socketFolder, address] = await linesOf(home);
  const host = socketFolder || address;
  return pid && port && host ? { pid: Number(pid), port: Number(port), host } : null;
}

async function stateOf(home: Home): Promise<string | undefined> {
  return (await linesOf(home))[7];
}

/**
 * PostgreSQL assumes that any process with the id in postmaster.pid is a server. This includes a zombie, and an
 * unrelated process that has the id after a container restarts.
 */
async function forgetDeadServer(home: Home): Promise<void> {
  const [pid] = await linesOf(home);
  if (!pid || (await isServer(Number(pid)))) return;
  await rm(pidFileOf(home), { force: true });
  for (const name of await readdir(home.folder)) {
    if (name.startsWith(".s.PGSQL.")) await rm(join(home.folder, name), { force: true });
  }
}

/** Returns whether a process is a live PostgreSQL server, as far as the system reports it. */
async function isServer(pid: number): Promise<boolean> {
  // An ended process no longer has a command line.
  if (process.platform === "linux") {
    return (await readIfThere(`/proc/${pid}/cmdline`))?.includes("postgres") ?? false;
  }
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

async function settingsOf(home: Home): Promise<string> {
  const settings: Record<string, string | number> = {
    ...(process.platform === "win32"
      ? { listen_addresses: "'127.0.0.1'", unix_socket_directories: "''", port: await freePort() }
      : { listen_addresses: "''", unix_socket_directories: quoted(await socketFolder(home)) }),
    unix_socket_permissions: "0700",
    max_connections: 40,
    // The server shares a small machine with this process. The system's cache holds the rest.
    shared_buffers: "'64MB'",
    max_wal_size: "'256MB'",
    wal_level: "minimal",
    max_wal_senders: 0,
    autovacuum_max_workers: 1,
    // After the first filling of the tables plans wait for statistics.
    autovacuum_naptime: "'10s'",
    io_method: "sync",
    jit: "off",
    random_page_cost: 1.1,
    timezone: "'UTC'",
    log_timezone: "'UTC'",
    // The sender of a failed statement reports it.
    log_min_messages: "log",
    log_checkpoints: "off",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return `# Written anew at each start.\n${lines.join("\n")}\n`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Returns the home itself, or a separate folder if the home's path is too long for a socket. */
async function socketFolder(home: Home): Promise<string> {
  if (Buffer.byteLength(join(home.folder, ".s.PGSQL.5432")) <= LONGEST_SOCKET) return home.folder;
  const folder = await mkdtemp(join(tmpdir(), "aqua-pg-"));
  if (home.user) await chown(folder, home.user.uid, home.user.gid);
  return folder;
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** The variables that PostgreSQL receives. It must not receive the keys in this process's environment. */
const passedOn = ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR"];

function surroundings(home: Home) {
  const environment = Object.fromEntries(passedOn.map((key) => [key, process.env[key]]));
  return { cwd: home.folder, env: { ...environment, LC_ALL: "C", TZ: "UTC" }, windowsHide: true, ...home.user };
}

async function program({ bin, home }: Cluster, name: string, args: string[]): Promise<void> {
  try {
    await run(join(bin, name), args, surroundings(home));
  } catch (error) {
    // On a system with a different C library, the loader itself is missing.
    if (isCode(error, "ENOENT")) {
      throw new StartRefused(`${join(bin, name)} does not run on this system; set DATABASE_URL to a PostgreSQL server`);
    }
    throw error;
  }
}

async function lastLogLines(home: Home, otherwise: string): Promise<string> {
  const log = (await readIfThere(logOf(home))) ?? "";
  const lines = log.trim().split("\n");
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? (lines.at(-1) || otherwise);
}
