import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
/** Bytes: ten times the largest use seen of unit tests or of the worlds of the browser tests, 0.4 GB. */
const room = 4 * 2 ** 30;

/**
 * Creates a folder for temporary files of this run and of the programs that it starts. It is in memory when there is
 * room: the tests create some hundred databases of 600 files each, and a disk's file system takes up to a millisecond
 * per file. It is removed when the process ends.
 */
export function useTemporaryFolder(): string {
  const inMemory = process.env.TMPDIR === undefined && hasRoom();
  const folder = mkdtempSync(join(inMemory ? memory : tmpdir(), "aqua-test-"));
  // When the tests run as root, PostgreSQL runs as another user and must be able to enter.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  // A signal ends the process without the event above.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
  return folder;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= room && freemem() >= 2 * room;
  } catch {
    // Not Linux, or without such a folder.
    return false;
  }
}
