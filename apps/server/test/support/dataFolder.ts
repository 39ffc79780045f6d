import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeEmbedded } from "../../src/db/embedded/embedded.ts";

/** A data folder of a test's own, which goes after it. */
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

/** Removes it with whatever database a killed server left running in it. */
export async function removeDataFolder(folder: string): Promise<void> {
  await removeEmbedded(folder);
  await rm(folder, { recursive: true, force: true });
}
