import type { BatchHeader } from "@aqua/sdk/api/telemetry";
import {
  type Checkpoint,
  openCheckpoint,
  publicKeyOf,
  signCheckpoint,
  verifierKey,
} from "@aqua/sdk/proofs/log/checkpoint";
import { LogFormatError, leafHash, type NodeReader, rootAt, rootOfLeaves } from "@aqua/sdk/proofs/log/tree";
import { and, asc, eq, gte, isNull, lt, sql } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import type { Keys } from "../keys.ts";
import { publicLog, publicLogEntry, publicLogNode } from "./schema.ts";
import { isOwnEntry } from "./writer.ts";

/** Hashes of a tile. */
export const TILE = 256;

/** The log's row is not what this instance signed last, so it must not sign anything that follows from it. */
export class LogAltered extends Error {
  override name = "LogAltered";
}

/** The key by which an instance signs the checkpoints of its log. */
export interface LogKey {
  origin: string;
  seed: Uint8Array;
  /** The key's public half, as readers are told it. */
  verifier: string;
}

export const logKey = (origin: string, seed: Uint8Array): LogKey => ({
  origin,
  seed,
  verifier: verifierKey(origin, publicKeyOf(seed)),
});

/** Reads hashes of the stored tree. */
export function nodesOf(tx: Orm): NodeReader {
  return async (level, index, count) => {
    const rows = await tx
      .select({ hash: publicLogNode.hash })
      .from(publicLogNode)
      .where(
        and(eq(publicLogNode.level, level), gte(publicLogNode.index, index), lt(publicLogNode.index, index + count)),
      )
      .orderBy(asc(publicLogNode.index));
    return rows.map(({ hash }) => new Uint8Array(hash));
  };
}

/**
 * Returns the root of the stored tree at a size, or null if hashes are missing. A failure to read them is thrown: it
 * says nothing about the tree.
 */
export async function storedRoot(size: number, nodes: NodeReader): Promise<Uint8Array | null> {
  try {
    return await rootAt(size, nodes);
  } catch (error) {
    if (error instanceof LogFormatError) return null;
    throw error;
  }
}

const MOST = 512;

/**
 * Moves up to 512 written entries into the tree and signs the next checkpoint. Returns how many; an entry that
 * somebody else wrote stays outside and is marked. Processes do this in turns.
 * @throws LogAltered if the stored tree is not the one of the last checkpoint
 */
export function growTree(db: Pick<Database, "transaction">, keys: Keys, key: LogKey): Promise<number> {
  return db.transaction(async (tx) => {
    const waiting = and(isNull(publicLogEntry.index), eq(publicLogEntry.refused, false));
    const [log] = await tx.select().from(publicLog).for("update");
    if (log === undefined) throw new LogAltered("the log of this instance is gone");
    const entries = await tx
      .select()
      .from(publicLogEntry)
      .where(waiting)
      .orderBy(asc(publicLogEntry.arrival))
      .limit(MOST);
    if (entries.length === 0) return 0;
    const nodes = nodesOf(tx);
    await requireSame(log, key, nodes);
    let { size } = log;
    for (const row of entries) {
      const { arrival, content } = row;
      if (!isOwnEntry(keys, row)) {
        await tx.update(publicLogEntry).set({ refused: true }).where(eq(publicLogEntry.arrival, arrival));
        continue;
      }
      await tx.update(publicLogEntry).set({ index: size }).where(eq(publicLogEntry.arrival, arrival));
      await addNode(tx, { level: 0, index: size, hash: leafHash(new Uint8Array(content)) });
      size += 1;
    }
    const root = await rootAt(size, nodes);
    const checkpoint = signCheckpoint({ origin: key.origin, size, root }, key.seed);
    await tx.update(publicLog).set({ size, checkpoint });
    return entries.length;
  });
}

/** Adds a hash to its level, and the hash of its tile to the next level once the tile is full. */
async function addNode(tx: Orm, node: typeof publicLogNode.$inferInsert): Promise<void> {
  await tx.insert(publicLogNode).values(node);
  const { level, index } = node;
  if ((index + 1) % TILE !== 0) return;
  const tile = await nodesOf(tx)(level, index + 1 - TILE, TILE);
  await addNode(tx, { level: level + 1, index: (index + 1) / TILE - 1, hash: rootOfLeaves(tile) });
}

async function requireSame(
  { size, checkpoint, origin }: typeof publicLog.$inferSelect,
  key: LogKey,
  nodes: NodeReader,
): Promise<void> {
  const signed = readCheckpoint(checkpoint, key);
  if (signed === null || origin !== key.origin)
    throw new LogAltered("the last checkpoint is not signed by this instance");
  const root = await storedRoot(size, nodes);
  if (signed.size !== size || root === null || !Buffer.from(root).equals(signed.root))
    throw new LogAltered("the stored tree is not the one of the last checkpoint");
}

/** Returns what a checkpoint says. Null if this key did not sign it. */
export function readCheckpoint(text: string, { verifier }: Pick<LogKey, "verifier">): Checkpoint | null {
  try {
    return openCheckpoint(text, verifier);
  } catch {
    return null;
  }
}

/** The newest checkpoint, in the form in which a batch of readings carries it to a chain. */
export async function carriedCheckpoint(tx: Orm): Promise<BatchHeader["log"]> {
  const log = await newestCheckpoint(tx);
  const [origin, size, root] = log?.checkpoint.split("\n") ?? [];
  return origin === undefined || root === undefined ? undefined : { origin, size: Number(size), root };
}

/** The newest signed checkpoint. Null before the log has begun. */
export async function newestCheckpoint(tx: Orm): Promise<{ origin: string; size: number; checkpoint: string } | null> {
  const [log] = await tx.select().from(publicLog);
  return log ?? null;
}

export const anyEntry = sql`exists (select 1 from public_log_entry)`;
