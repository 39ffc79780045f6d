import { execFileSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";

/**
 * Returns the folder of the programs of PostgreSQL 15, the oldest release that our SQL supports. Installs them from
 * Debian when missing.
 */
export function findPostgres15(): string {
  return installed("/usr/lib/postgresql/15/bin", "postgresql-15");
}

/** Returns the folder of all programs of the newest PostgreSQL that Debian has installed, or null. */
export function installedPostgres(): string | null {
  const folders = globSync("/usr/lib/postgresql/*/bin").filter((folder) =>
    ["postgres", "pg_dump", "pg_restore"].every((name) => existsSync(`${folder}/${name}`)),
  );
  return folders.sort().at(-1) ?? null;
}

/** Returns the path of Debian's PgBouncer, which is installed when missing. */
export function findPgBouncer(): string {
  return installed("/usr/sbin/pgbouncer", "pgbouncer");
}

function installed(path: string, name: string): string {
  if (!existsSync(path)) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    execFileSync("apt-get", ["update", "-q"], { stdio: "inherit", env });
    execFileSync("apt-get", ["install", "-y", "-q", "--no-install-recommends", name], { stdio: "inherit", env });
  }
  return path;
}
