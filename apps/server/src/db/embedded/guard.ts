import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { pidFileOf } from "./cluster.ts";
import type { Home } from "./home.ts";

/** Seconds that a database waits for a next process when the one that uses it was killed. */
const ORPHANED_FOR_S = 3;

/**
 * `read` returns when this process has ended and its end of the pipe is closed. A process that took the database over
 * meanwhile has written its own name. One that still waits for a database of its own to recover has not, but that
 * database has another process id. SIGINT makes PostgreSQL disconnect its clients and write all data out.
 */
const script = `read -r _; server=$(head -n 1 "$3"); sleep ${ORPHANED_FOR_S}
[ "$(cat "$1")" = "$2" ] && [ "$(head -n 1 "$3")" = "$server" ] && kill -INT "$server"`;

/**
 * Stops the database soon after this process is killed, unless another process takes it over. Returns the function that
 * ends the watch. A shell does it, because it needs a fortieth of Node's memory. Windows has none: there the database
 * of a killed server runs until the next start.
 */
export async function endWithThisProcess(home: Home, log?: Pick<Logger, "warn">): Promise<() => void> {
  if (process.platform === "win32") return () => {};
  const name = randomUUID();
  const holder = join(home.folder, "holder");
  await writeFile(holder, `${name}\n`, { mode: 0o600 });
  const guard = spawn("/bin/sh", ["-c", script, "aqua-guard", holder, name, pidFileOf(home)], {
    cwd: "/",
    // A session of its own, so that a signal to the terminal's does not end it first.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env.PATH },
  });
  guard.on("error", (error) =>
    log?.warn({ err: error }, "no shell watches this process: if it is killed, its database runs until the next start"),
  );
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return () => void guard.kill("SIGKILL");
}
