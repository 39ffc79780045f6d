import { setImmediate } from "node:timers/promises";
import type { SignedReading } from "@aqua/sdk/api/telemetry";
import { fromHex, leafOf, readingOf, toHex } from "@aqua/sdk/proofs/reading";
import { buildTree } from "@aqua/sdk/proofs/tree";
import { anyOf } from "../db/anyOf.ts";
import type { Database, Orm } from "../db/database.ts";
import { declaredLoss } from "../telemetry/schema.ts";
import { compareBuckets, readBuckets } from "./buckets.ts";
import { chainKeys } from "./deviceKeys.ts";
import type { Fleet } from "./fleet.ts";
import { type Checking, checkAdded, checkSignatures, follows, type Told, toldOf } from "./readings.ts";
import { advance, type Bucket, flawOf, type Replay } from "./replay.ts";
import { compareColumns, newSlice, recordRow, type Slice } from "./slice.ts";
import { lockMonths, PAGE, type ReadingRow, readingsIn, storedSince } from "./storedReadings.ts";

/** A reading of a batch file and its device. */
export interface FileReading {
  sent: SignedReading;
  told: Told;
  replay: Replay;
}

interface Parts {
  db: Pick<Database, "orm" | "transaction">;
  fleet: Fleet;
}

/**
 * Compares the readings of a batch file with the stored ones, in steps. None may be missing from the month on that is
 * still stored, and no other may exist between them.
 */
export async function* auditFileReadings(
  { db, fleet }: Parts,
  { chainId, readings }: { chainId: number; readings: readonly FileReading[] },
): AsyncGenerator<Slice> {
  for (let start = 0; start < readings.length; start += PAGE) {
    const some = readings.slice(start, start + PAGE);
    const stored = await db.transaction((tx) => readStored(tx, chainId, some), "repeatable read");
    const slice = newSlice();
    const checking: Checking = { slice, fleet, keys: stored.keys, isLostAfter: stored.isLostAfter };
    const closed = new Map<Replay, Bucket[]>();
    for (const one of some) {
      const rows = stored.rows.get(one.replay.device.id) ?? [];
      const left = await checkOne(checking, one, { rows, since: stored.since.get(one.replay.device.id) });
      closed.set(one.replay, [...(closed.get(one.replay) ?? []), ...left]);
    }
    // Nothing is added to a bucket that a later reading has left, so any snapshot will do.
    await compareBuckets(
      checking,
      [...closed].map(([replay, buckets]) => ({ replay, closed: buckets, ended: false })),
      (ranges) => readBuckets(db.orm, ranges),
    );
    yield slice;
  }
}

async function readStored(tx: Orm, chainId: number, some: readonly FileReading[]) {
  await lockMonths(tx);
  const replays = [...new Set(some.map(({ replay }) => replay))];
  const ids = replays.map(({ device }) => device.id);
  const names = replays.flatMap(({ device: { name, coSigner } }) => (coSigner === null ? [name] : [name, coSigner]));
  const rows = await readingsIn(
    tx,
    replays.map(({ device: { id }, isLinked, last }) => {
      const numbers = some.filter(({ replay }) => replay.device.id === id).map(({ sent }) => sent.seq);
      const [first = 1, end = first] = [numbers[0], numbers.at(-1)];
      return { device: id, after: isLinked ? last.seq : first - 1, upTo: end };
    }),
  );
  const losses = await tx
    .select({ device: declaredLoss.device, seq: declaredLoss.afterSeq })
    .from(declaredLoss)
    .where(anyOf(declaredLoss.device, names));
  const lost = new Set(losses.map(({ device, seq }) => `${device} ${seq}`));
  return {
    rows,
    since: await storedSince(tx, ids),
    keys: await chainKeys(tx, chainId, names),
    isLostAfter: (name: string, seq: number) => lost.has(`${name} ${seq}`),
  };
}

/** Checks one reading and takes its rows, and those before it, from `rows`. Returns the buckets that it left. */
async function checkOne(
  checking: Checking,
  { sent, told, replay }: FileReading,
  { rows, since }: { rows: ReadingRow[]; since: number | undefined },
): Promise<Bucket[]> {
  const { slice, fleet } = checking;
  const { device } = replay;
  const end = rows.findIndex(({ seq }) => seq > told.seq);
  const upTo = rows.splice(0, end === -1 ? rows.length : end);
  const same = upTo.filter(({ seq }) => seq === told.seq);
  const row = same.find(({ hash }) => toHex(hash) === told.hash) ?? same[0];
  const about = fleet.about("reading", device, `number ${told.seq}`);
  for (const other of upTo) {
    if (other === row) continue;
    recordRow(slice, fleet.about("reading", device, `number ${other.seq}`), { found: other.hash });
  }
  if (replay.isLinked && !follows(checking, replay, told.prev)) {
    replay.known = false;
    compareColumns(slice, about, { prev: [replay.last.hash, told.prev] });
  }
  replay.isLinked = true;
  if (row !== undefined) await checkRow(checking, { sent, told, replay }, row);
  else if (since !== undefined && told.time >= since) recordRow(slice, about, { expected: told.hash });
  const { seq, time, value, hash } = told;
  const reading = { seq, time, value, hash, accepted: row?.accepted ?? null };
  return advance(replay, reading, flawOf(replay, reading));
}

async function checkRow(checking: Checking, { sent, told, replay }: FileReading, row: ReadingRow): Promise<void> {
  const about = checking.fleet.about("reading", replay.device, `number ${told.seq}`);
  compareColumns(checking.slice, about, {
    time: [told.time, row.time],
    value: [told.value, row.value],
    prev: [told.prev, row.prev],
    hash: [told.hash, row.hash],
  });
  checkAdded(checking, replay, { ...row, time: told.time, value: told.value });
  const same = {
    signature: [sent.signature, row.signature],
    co_signature: [sent.co_signature?.signature ?? null, row.coSignature],
  } as const;
  const before = checking.slice.differences.length;
  compareColumns(checking.slice, about, same);
  // A signature that differs from the file's was reported, and it cannot be right.
  if (checking.slice.differences.length === before) await checkSignatures(checking, { replay, row, told });
}

/**
 * The readings of a file with their devices, and the root of their tree. Null if a figure is out of range. Other work
 * runs in between.
 */
export async function filedReadings(
  readings: readonly SignedReading[],
  replayOf: (reading: SignedReading) => Replay | undefined,
): Promise<{ filed: FileReading[]; root: string } | null> {
  const filed: FileReading[] = [];
  const leaves: Uint8Array[] = [];
  for (const [index, sent] of readings.entries()) {
    if (index % PAGE === 0) await setImmediate();
    const told = toldInRange(sent);
    if (told === null) return null;
    leaves.push(leafOf(fromHex(told.hash)));
    const replay = replayOf(sent);
    if (replay !== undefined) filed.push({ sent, told, replay });
  }
  return { filed, root: toHex(buildTree(leaves).root) };
}

function toldInRange(sent: SignedReading): Told | null {
  try {
    return toldOf(readingOf(sent));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
