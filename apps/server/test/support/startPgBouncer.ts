import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { databaseUser } from "../../src/db/embedded/systemUser.ts";

/**
 * PgBouncer in transaction mode before a PostgreSQL server that is reached through a socket. Three sessions for each
 * database, so that two transactions of one connection rarely have the same.
 */
export async function startPgBouncer(program: string, postgresUrl: string): Promise<{ url: string; stop(): void }> {
  const user = databaseUser();
  const folder = mkdtempSync(join(tmpdir(), "aqua-pooler-"));
  const settings = {
    listen_addr: "",
    listen_port: 6432,
    unix_socket_dir: folder,
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: 3,
    // Each session in turn, in place of the one that was used last.
    server_round_robin: 1,
    max_client_conn: 2_000,
    logfile: join(folder, "log"),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const host = decodeURIComponent(new URL(postgresUrl).hostname);
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, `[databases]\n* = host=${host} user=aqua\n[pgbouncer]\n${lines.join("\n")}\n`);
  if (user) for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  const pooler = spawn(program, [file], { ...user, cwd: folder, stdio: "ignore" });
  let failure: unknown = null;
  pooler.once("error", (error) => {
    failure = error;
  });
  const url = `postgresql://aqua@${encodeURIComponent(folder)}:6432/postgres`;
  for (let attempt = 0; ; attempt += 1) {
    if (failure !== null || pooler.exitCode !== null || attempt === 200) {
      throw new Error("PgBouncer does not start", { cause: failure });
    }
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      break;
    } catch {
      await sleep(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
  return {
    url,
    stop() {
      pooler.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
