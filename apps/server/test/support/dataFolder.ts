import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeEmbedded } from "../../src/db/embedded/embedded.ts";

/** A data folder for one test, which is removed after it. */
export async function dataFolder(): Promise<string> {
  const folder = await makeDataFolder();
  onTestFinished(() => removeDataFolder(folder));
  return folder;
}

export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "aqua-data-"));
  // When the tests run as root, PostgreSQL runs as another user and must be able to enter.
  await chmod(folder, 0o755);
  return folder;
}

/** Stops a database that a killed server left running in the folder, and removes the folder. */
export async function removeDataFolder(folder: string): Promise<void> {
  await removeEmbedded(folder);
  await rm(folder, { recursive: true, force: true });
}
