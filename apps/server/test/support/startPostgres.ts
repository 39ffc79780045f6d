import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { binaries } from "../../src/db/embedded/binaries.ts";
import { OUTSIDE } from "../../src/db/embedded/home.ts";
import { databaseUser } from "../../src/db/embedded/systemUser.ts";

export interface PostgresServer {
  url: string;
  pid: number | undefined;
  stop(): Promise<void>;
}

/**
 * A separate PostgreSQL server, reachable only through a socket in its own folder. `bin`, or else `POSTGRES_BIN`, names the
 * programs of another release than the embedded one.
 */
export async function startPostgres(
  options: readonly string[],
  bin: string | undefined = process.env.POSTGRES_BIN,
): Promise<PostgresServer> {
  const user = databaseUser();
  const folder = mkdtempSync(join(tmpdir(), "aqua-pg-"));
  const programs = bin || (await binaries(user, user ? OUTSIDE : folder));
  if (user) chownSync(folder, user.uid, user.gid);
  const surroundings = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" }, ...user };
  const data = join(folder, "data");
  execFileSync(join(programs, "initdb"), ["-D", data, "-U", "aqua", "-A", "trust", "-E", "UTF8", "--no-sync"], {
    ...surroundings,
    stdio: "pipe",
  });
  const settings = [...options, "listen_addresses=", "max_connections=200"];
  const server = spawn(
    join(programs, "postgres"),
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
    // Immediate shutdown, because the data is discarded and a connection left by a failed test must not delay it.
    server.kill("SIGQUIT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, pid: server.pid, stop };
}

async function untilReady(server: ChildProcess, url: string, log: () => string): Promise<void> {
  const attempts = 600;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended at once:\n${log()}`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch {
      await sleep(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
  server.kill("SIGQUIT");
  throw new Error(`PostgreSQL did not get ready:\n${log()}`);
}
