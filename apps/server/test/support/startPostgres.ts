import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

export interface PostgresServer {
  url: string;
  pid: number | undefined;
  stop(): Promise<void>;
}

/** A PostgreSQL server of our own, reachable only through a socket in a folder of its own. */
export async function startPostgres(options: readonly string[]): Promise<PostgresServer> {
  const binaries = findBinaries() ?? installBinaries();
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), "aqua-pg-"));
  if (user) chownSync(folder, user.uid, user.gid);
  const surroundings = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" }, ...user };
  const data = join(folder, "data");
  execFileSync(join(binaries, "initdb"), ["-D", data, "-U", "aqua", "-A", "trust", "-E", "UTF8", "--no-sync"], {
    ...surroundings,
    stdio: "pipe",
  });
  const settings = [...options, "listen_addresses=", "max_connections=100"];
  const server = spawn(
    join(binaries, "postgres"),
    ["-D", data, "-k", folder, ...settings.flatMap((setting) => ["-c", setting])],
    { ...surroundings, stdio: ["ignore", "ignore", "pipe"] },
  );
  let log = "";
  server.stderr?.on("data", (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4_000);
  });
  const url = `postgresql://aqua@${encodeURIComponent(folder)}/postgres`;
  await untilReady(server, url, () => log);
  const stop = async () => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    // Immediate shutdown: the data is thrown away, and a connection a failed test left open must not hold it up.
    server.kill("SIGQUIT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, pid: server.pid, stop };
}

function findBinaries(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...(process.env.PATH ?? "").split(":")];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name)))) ?? null;
}

function installBinaries(): string {
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    try {
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      execFileSync("apt-get", ["update", "-q"], { stdio: "pipe", env });
      execFileSync("apt-get", ["install", "-y", "-q", "--no-install-recommends", "postgresql"], { stdio: "pipe", env });
    } catch (error) {
      throw new Error("the tests need PostgreSQL, and installing it with apt-get failed", { cause: error });
    }
    const binaries = findBinaries();
    if (binaries) return binaries;
  }
  throw new Error("the tests need PostgreSQL: install it so that initdb and postgres are on the PATH");
}

/** PostgreSQL refuses to run as root; whom to run it as instead, or null when we are not root. */
function unprivilegedUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: "pipe" }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // No such user here: try the next.
    }
  }
  throw new Error("the tests run as root and found no user (postgres, nobody) to run PostgreSQL as");
}

async function untilReady(server: ChildProcess, url: string, log: () => string): Promise<void> {
  const attempts = 300;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended at once:\n${log()}`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch {
      await sleep(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
  server.kill("SIGQUIT");
  throw new Error(`PostgreSQL did not get ready:\n${log()}`);
}
