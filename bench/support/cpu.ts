import { readFileSync } from "node:fs";
import type { Database } from "../../apps/server/src/db/database.ts";

/** CPU seconds used so far by this process and, of a server, by all of its: what a busy machine does not change. */
export async function cpuSeconds(db: Database | null): Promise<number> {
  const { user, system } = process.cpuUsage();
  let ticks = 0;
  if (db?.kind === "server") {
    const { rows } = await db.orm.execute<{ pid: number }>("select pid from pg_stat_activity");
    for (const { pid } of rows) {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      ticks += Number(fields[11]) + Number(fields[12]);
    }
  }
  return (user + system) / 1e6 + ticks / 100;
}
