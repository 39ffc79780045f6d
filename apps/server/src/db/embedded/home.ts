import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readdir, readFile, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartRefused } from "../../errors.ts";
import { isCode } from "./files.ts";
import { databaseUser, mayEnter, type SystemUser } from "./systemUser.ts";

/** Folder for databases whose data folder only root may enter, and for copies of the programs. */
export const OUTSIDE = "/var/lib/aqua";

/** The folder of one embedded database. It holds the cluster (`data`), the socket and the log. */
export interface Home {
  folder: string;
  /** The user that owns the folder and runs PostgreSQL; null for the user of this process. */
  user: SystemUser | null;
  /** The folder for copies of the programs. */
  shared: string;
}

/**
 * Returns the home of a data folder and creates it when there is none.
 * @throws StartRefused when the data folder names a home that was removed
 */
export async function homeOf(dataDir: string): Promise<Home> {
  const user = databaseUser();
  const found = await findHome(dataDir);
  if (found !== null) return { folder: found, user, shared: user === null ? found : OUTSIDE };
  const inside = join(await realpath(dataDir), "postgres");
  if (user === null) {
    await mkdir(inside, { recursive: true, mode: 0o700 });
    return { folder: inside, user, shared: inside };
  }
  if (await mayEnter(user, await realpath(dataDir))) {
    await mkdir(inside, { recursive: true, mode: 0o700 });
    await chown(inside, user.uid, user.gid);
    return { folder: inside, user, shared: OUTSIDE };
  }
  await mkdir(OUTSIDE, { recursive: true, mode: 0o755 });
  const outside = await mkdtemp(join(OUTSIDE, "data-"));
  await chown(outside, user.uid, user.gid);
  // When two processes start at once, the one that writes first has created the home.
  try {
    await writeFile(pointerOf(dataDir), `${outside}\n`, { flag: "wx", mode: 0o600 });
    return { folder: outside, user, shared: OUTSIDE };
  } catch (error) {
    await rm(outside, { recursive: true });
    if (!isCode(error, "EEXIST")) throw error;
    return homeOf(dataDir);
  }
}

/**
 * Returns the existing home, or null.
 * @throws StartRefused when the data folder names a home that was removed
 */
export async function findHome(dataDir: string): Promise<string | null> {
  const pointer = pointerOf(dataDir);
  if (existsSync(pointer)) {
    const outside = (await readFile(pointer, "utf8")).trim();
    if (existsSync(outside)) return outside;
    throw new StartRefused(
      `the database of ${dataDir} was in ${outside}, which is gone; restore it from a backup, or remove ${pointer} to begin anew`,
    );
  }
  const inside = join(dataDir, "postgres");
  return existsSync(inside) ? realpath(inside) : null;
}

export async function removeHome(dataDir: string): Promise<void> {
  const folder = await findHome(dataDir);
  if (folder !== null) await rm(folder, { recursive: true, force: true });
  await rm(pointerOf(dataDir), { force: true });
}

/** Removes the copies of the programs outside data folders, unless a database lies there too. */
export async function removeOutside(): Promise<void> {
  if (!existsSync(OUTSIDE)) return;
  const left = await readdir(OUTSIDE);
  if (left.some((name) => name.startsWith("data-"))) return;
  for (const name of left) {
    if (name.startsWith("postgresql-")) await rm(join(OUTSIDE, name), { recursive: true, force: true });
  }
  // Files of others in this folder stay.
  if ((await readdir(OUTSIDE)).length === 0) await rmdir(OUTSIDE);
}

function pointerOf(dataDir: string): string {
  return join(dataDir, "postgres.path");
}
