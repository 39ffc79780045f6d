import { readFileSync } from "node:fs";

export interface Usage {
  /** CPU seconds, including those of ended and running children. */
  cpu: number;
  /** Bytes in memory, of the process itself. */
  memory: number;
}

const TICKS = 100;
const PAGE = 4_096;

/**
 * Returns the resources that a process and its children have used so far; null when the system does not report it (only
 * Linux does), or the process has ended.
 */
export function usageOf(pid: number | undefined): Usage | null {
  if (pid === undefined) return null;
  try {
    // The fields after the name, which may contain any character: state, parent, …, user, system, children's times.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ").map(Number) ?? [];
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    const running = children.reduce((sum, child) => sum + (usageOf(Number(child))?.cpu ?? 0), 0);
    return { cpu: (user + system + endedUser + endedSystem) / TICKS + running, memory: (fields[21] ?? 0) * PAGE };
  } catch {
    return null;
  }
}
