import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
/** Bytes; ten times what unit tests or the worlds of the browser tests were seen to keep at once, 0.4 GB. */
const room = 4 * 2 ** 30;

/**
 * Makes the folder in which a run keeps what it needs only while it lasts, and lets whatever it starts use it too. In memory,
 * where that has room: the tests make some hundred databases of 600 files each, which takes a disk's file system up to a
 * millisecond a file. It goes with the process.
 */
export function useTemporaryFolder(): string {
  const inMemory = process.env.TMPDIR === undefined && hasRoom();
  const folder = mkdtempSync(join(inMemory ? memory : tmpdir(), "aqua-test-"));
  // Where the tests run as root PostgreSQL does not, and must be able to enter.
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
