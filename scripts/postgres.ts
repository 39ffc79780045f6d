import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const folder = "/usr/lib/postgresql/15/bin";

/**
 * Returns the folder of the programs of PostgreSQL 15, the oldest release that our SQL supports. Installs them from
 * Debian when missing.
 */
export function findPostgres15(): string {
  if (!existsSync(folder)) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    execFileSync("apt-get", ["update", "-q"], { stdio: "inherit", env });
    execFileSync("apt-get", ["install", "-y", "-q", "--no-install-recommends", "postgresql-15"], {
      stdio: "inherit",
      env,
    });
  }
  return folder;
}
