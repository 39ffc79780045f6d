import { type ChildProcess, execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import type { Orm } from "../../server/src/db/database.ts";
import { CommandError } from "./api.ts";
import type { Terminal } from "./terminal.ts";

export type PostgresProgram = "pg_dump" | "pg_restore";

/** A program of PostgreSQL that was found. `version` is as PostgreSQL counts, such as 150018 for 15.18. */
export interface FoundProgram {
  path: string;
  version: number;
}

/** Major release of a version number. */
export const majorOf = (version: number) => Math.floor(version / 10_000);

/** Finds a program in the folder POSTGRES_BIN, or else on the PATH. */
export async function findProgram(name: PostgresProgram, environment: Terminal["environment"]): Promise<FoundProgram> {
  const folder = environment.POSTGRES_BIN?.trim() ?? "";
  const path = folder === "" ? name : join(folder, name);
  const { stdout } = await promisify(execFile)(path, ["--version"]).catch(() => {
    throw new CommandError(`${path} cannot be run; install PostgreSQL's client programs, or set POSTGRES_BIN`);
  });
  // Such as: pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1), or 19beta1.
  const [, major, minor = "0"] = /\) (\d+)(?:\.(\d+))?/.exec(stdout) ?? [];
  if (major === undefined) throw new CommandError(`${path} does not say its version: ${stdout.trim()}`);
  return { path, version: Number(major) * 10_000 + Number(minor) };
}

export async function serverVersion(orm: Orm): Promise<number> {
  const { rows } = await orm.execute<{ version: number }>(
    sql`select current_setting('server_version_num')::int as version`,
  );
  return rows[0]?.version ?? 0;
}

/**
 * Starts a program on a database. The password goes through the environment, because other users of the machine read
 * arguments.
 */
export function startProgram(path: string, args: readonly string[], databaseUrl: string): ChildProcess {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password) || (url.searchParams.get("password") ?? "");
  url.password = "";
  // The driver's own parameter and the password; libpq knows all others.
  for (const name of ["password", "uselibpqcompat"]) url.searchParams.delete(name);
  return spawn(path, [...args, "--no-password", "-d", url.href], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...(password === "" ? {} : { PGPASSWORD: password }) },
  });
}

/** Resolves when a program has ended with 0. @throws CommandError with what it said */
export function endOf(child: ChildProcess, name: PostgresProgram): Promise<void> {
  let said = "";
  child.stderr?.on("data", (text: Buffer) => {
    said = (said + text.toString()).slice(0, 2_000);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new CommandError(`${name} ended with ${code ?? signal}: ${said.trim().replaceAll("\n", "; ")}`));
    });
  });
}
