import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { signCheckpoint } from "@aqua/sdk/proofs/log/checkpoint";
import { readEntry } from "@aqua/sdk/proofs/log/entry";
import { rootOfLeaves } from "@aqua/sdk/proofs/log/tree";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Logger } from "pino";
import type { Hex } from "viem";
import type { Database, Orm } from "../db/database.ts";
import type { SealedColumn } from "../db/sealed.ts";
import { StartRefused } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { stateAll } from "./baseline.ts";
import { publicLog, publicLogEntry } from "./schema.ts";
import { anyEntry, type LogKey, logKey } from "./tree.ts";
import type { LogWriter } from "./writer.ts";

export const sealedLogSeed: SealedColumn = {
  purpose: "logKey",
  table: sql`public_log`,
  id: sql`id`,
  sealed: sql`seed`,
  context: sql`origin`,
  set: (sealed) => sql`seed = ${sealed}`,
};

/**
 * Waits until no server runs that knows no log, because what it changes would have no entry. Servers that know the log
 * say only after this that they run, so each one that runs before the log exists is of a former version.
 * @param servers returns how many servers say that they run
 */
export async function waitForFormerServers(
  db: Pick<Database, "orm">,
  { servers, log, everyMs = 1_000 }: { servers: () => Promise<number>; log: Pick<Logger, "warn">; everyMs?: number },
): Promise<void> {
  for (let isSaid = false; ; isSaid = true) {
    const logs = await db.orm.select({ id: publicLog.id }).from(publicLog);
    const running = logs.length > 0 ? 0 : await servers();
    if (running === 0) return;
    if (!isSaid) log.warn({ servers: running }, "waiting for the end of the servers of the former version; stop them");
    await sleep(everyMs);
  }
}

/**
 * Opens the log of this instance. The first start creates its key and states every row that is stored already. A
 * change of the operators is stated too.
 * @throws StartRefused if the log has lost its key, which a backup of the database has
 */
export function openLog(
  db: Pick<Database, "transaction">,
  {
    keys,
    writer,
    publicUrl,
    operators,
  }: { keys: Keys; writer: LogWriter; publicUrl: string; operators: readonly Hex[] },
): Promise<LogKey> {
  return db.transaction(async (tx) => {
    // If several processes start together, one creates the log and the others find it.
    await tx.execute(sql`lock table public_log in exclusive mode`);
    const [log] = await tx.select().from(publicLog);
    const key = log === undefined ? await createLog(tx, keys, publicUrl) : open(keys, log);
    if (log === undefined) await stateAll(tx, writer);
    if ((await statedOperators(tx)) !== operators.join()) {
      await writer.note(tx, { kind: "operators", content: { keys: [...operators] } });
    }
    return key;
  });
}

async function createLog(tx: Orm, keys: Keys, publicUrl: string): Promise<LogKey> {
  const { rows } = await tx.execute<{ any: boolean }>(sql`select ${anyEntry} as any`);
  if (rows[0]?.any)
    throw new StartRefused("the table public_log is empty, but entries of the log exist; restore it from a backup");
  const origin = `${new URL(publicUrl).host}/log`;
  const seed = new Uint8Array(randomBytes(32));
  const checkpoint = signCheckpoint({ origin, size: 0, root: rootOfLeaves([]) }, seed);
  await tx.insert(publicLog).values({ id: 1, origin, seed: keys.seal("logKey", seed, origin), size: 0, checkpoint });
  return logKey(origin, seed);
}

function open(keys: Keys, { origin, seed }: typeof publicLog.$inferSelect): LogKey {
  try {
    return logKey(origin, keys.open("logKey", seed, origin));
  } catch {
    throw new StartRefused("the key of the public log cannot be opened; restore the table public_log from a backup");
  }
}

/** Returns the operators of the newest entry about them, or null if there is none. */
async function statedOperators(tx: Orm): Promise<string | null> {
  const [last] = await tx
    .select({ content: publicLogEntry.content })
    .from(publicLogEntry)
    .where(and(eq(publicLogEntry.kind, "operators"), eq(publicLogEntry.refused, false)))
    .orderBy(desc(publicLogEntry.version))
    .limit(1);
  if (last === undefined) return null;
  const { keys } = readEntry(new Uint8Array(last.content)).content as { keys: string[] };
  return keys.join();
}
