import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";

/** Whether a process with this id exists, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Start time and command line of a process, which distinguish it from a later one with the same id. Null when there is
 * no such process or the system does not report it.
 */
export function identityOf(pid: number): string | null {
  try {
    if (process.platform !== "linux") {
      return execFileSync("ps", ["-o", "lstart=,command=", "-p", String(pid)], { encoding: "utf8" }).trim();
    }
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Field 22, counted after the name in brackets, which may hold spaces itself (proc(5)).
    const begun = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${begun} ${command}`;
  } catch {
    return null;
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Ends a process that is not our child: asks it to end, and kills it after `patience` ms. Resolves when it has ended.
 */
export async function endProcess(pid: number, patience = 3_000): Promise<void> {
  const deadline = Date.now() + patience;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const until = signal === "SIGTERM" ? deadline : Date.now() + 2_000;
    while (Date.now() < until) {
      if (!isAlive(pid)) return;
      await sleep(25);
    }
  }
}

/** Whether something on this machine already listens on `port`, on any address a browser or our own processes would use. */
export async function portIsTaken(port: number): Promise<boolean> {
  for (const host of ["127.0.0.1", "::", "0.0.0.0"]) {
    if (await listenFails(port, host)) return true;
  }
  return false;
}

function listenFails(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "EADDRINUSE" || error.code === "EACCES"),
    );
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(false)));
  });
}
