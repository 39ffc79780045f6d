import { readFileSync } from "node:fs";
import type { Database } from "../../apps/server/src/db/database.ts";

/** Clock ticks a second of /proc (proc(5)), the same on every Linux. */
const TICKS = 100;

/** CPU seconds that a process has used, zero if it has ended. */
export function cpuOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) / TICKS;
  } catch {
    return 0;
  }
}

/** CPU seconds of the processes that a process has started and that are running. */
export function cpuOfChildren(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  return children.reduce((sum, child) => sum + (child === "" ? 0 : cpuOf(Number(child))), 0);
}

/** CPU seconds used so far by this process and, of a server, by all of its: what a busy machine does not change. */
export async function cpuSeconds(db: Database | null): Promise<number> {
  const { user, system } = process.cpuUsage();
  let seconds = 0;
  if (db?.kind === "server") {
    const { rows } = await db.orm.execute<{ pid: number }>("select pid from pg_stat_activity");
    for (const { pid } of rows) seconds += cpuOf(pid);
  }
  return (user + system) / 1e6 + seconds;
}
