import { readdir, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { type DeletionList, deletionList } from "../../server/src/db/deletionList.ts";
import { folders } from "../../server/src/folders.ts";
import { CommandError } from "./api.ts";
import { deploymentsFolder } from "./chainOptions.ts";
import type { Terminal } from "./terminal.ts";

/** A folder of the operator that a backup contains. */
export interface BackupFolder {
  /** First part of the names of its files in an archive. */
  name: "batches" | "deployments" | "products" | "legal";
  setting: string;
  /** Null where the setting is empty and has no default. */
  path: string | null;
  /** Whether the setting names it. The default may be missing, a named one not. */
  isNamed: boolean;
}

/** The folders of the server's settings, with its defaults. */
export function backupFolders(environment: Terminal["environment"]): BackupFolder[] {
  const set = (setting: string) => environment[setting]?.trim() || null;
  const folder = (name: BackupFolder["name"], setting: string, fallback: string | null): BackupFolder => {
    const path = set(setting) ?? fallback;
    return { name, setting, path: path === null ? null : resolve(path), isNamed: set(setting) !== null };
  };
  return [
    folder("batches", "BATCH_DIR", null),
    folder("deployments", "DEPLOYMENTS_DIR", deploymentsFolder(undefined, environment)),
    folder("products", "PRODUCTS_DIR", folders.products),
    folder("legal", "LEGAL_DIR", null),
  ];
}

/** The list of deleted accounts of the server's settings. */
export const deletionsOf = (environment: Terminal["environment"]): DeletionList =>
  deletionList({
    dataDir: resolve(environment.DATA_DIR?.trim() || folders.data),
    deletionsUrl: environment.DELETIONS_URL?.trim() || null,
  });

/**
 * Names of the files in a folder and the folders in it, with `/`, sorted. Names that begin with a dot are left out:
 * those are files of editors, and files under way.
 */
export async function filesIn({ path, isNamed, setting }: BackupFolder): Promise<string[]> {
  if (path === null) return [];
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" && !isNamed) return [];
      throw new CommandError(`${setting} cannot be read: ${error.message}`);
    },
  );
  const files: string[] = [];
  for (const entry of entries) {
    const name = relative(path, join(entry.parentPath, entry.name)).split(sep).join("/");
    if (entry.isDirectory() || name.split("/").some((part) => part.startsWith("."))) continue;
    // A link counts as the file it names.
    if (!entry.isFile() && !(await stat(join(path, name))).isFile()) {
      throw new CommandError(`${setting} has something that is neither a file nor a folder: ${name}`);
    }
    files.push(name);
  }
  return files.sort();
}
