import { noReading, toHex } from "@aqua/sdk/proofs/reading";
import { and, desc, eq, gt, gte, isNotNull, isNull, lt, lte, max, ne, or, sql } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { declaredLoss, deviceHead, reading, telemetryBatch } from "../telemetry/schema.ts";
import { bucketsAhead, compareBuckets, readBuckets } from "./buckets.ts";
import { chainKeys, wordOf } from "./deviceKeys.ts";
import type { Fleet } from "./fleet.ts";
import { type Checking, checkUnbatched, numbersOf } from "./readings.ts";
import { type Bucket, type DeviceRow, loseTrack, newReplay, type Replay } from "./replay.ts";
import { type About, compareColumns, newSlice, recordRow, type Slice } from "./slice.ts";
import { lockMonths, PAGE, type ReadingRow, readingsIn } from "./storedReadings.ts";

type HeadRow = typeof deviceHead.$inferSelect;

/** A consistent view of a device after the reading that the replay has reached. */
interface Page {
  rows: ReadingRow[];
  /** Whether there are no further readings. Only then are the head and the buckets those after the last one. */
  ended: boolean;
  head: HeadRow | null;
  buckets: readonly Bucket[];
  keys: Checking["keys"];
  losses: DeviceLosses;
  /** Number of the product's newest batch. */
  lastBatch: number;
}

interface DeviceLosses {
  /** Numbers after which readings of the device were declared lost. */
  after: ReadonlySet<number | null>;
  /** Whether a batch of its product was declared lost. */
  ofBatch: boolean;
}

/**
 * Checks the stored readings of a device after the one that the replay has reached, and then its head and the buckets.
 * @param walkedTo number of the last batch of the product whose readings the replay has, if it has followed batches
 */
export async function* auditDevice(
  { db, fleet }: { db: Pick<Database, "orm" | "transaction">; fleet: Fleet },
  replay: Replay,
  walkedTo = Number.POSITIVE_INFINITY,
): AsyncGenerator<Slice> {
  for (let ended = false; !ended; ) {
    const page = await db.transaction((tx) => readPage(tx, replay), "repeatable read");
    ended = page.ended;
    const { rows, keys, losses } = page;
    const isFirst = (prev: Uint8Array | undefined) => prev === undefined || toHex(prev) === replay.last.hash;
    // The readings between are in a batch that was stored since, and their month was dropped.
    if (page.lastBatch > walkedTo && !isFirst(rows[0]?.prev)) loseTrack(replay);
    const slice = newSlice();
    const checking: Checking = { slice, fleet, keys, isLostAfter: (_, seq) => losses.after.has(seq) };
    const closed: Bucket[] = [];
    for (const row of rows) closed.push(...(await checkUnbatched(checking, replay, row)));
    await compareBuckets(checking, [{ replay, closed, ended }], async (ranges) =>
      ended ? page.buckets : readBuckets(db.orm, ranges),
    );
    if (ended && replay.isLinked) compareHead({ slice, fleet }, replay, page);
    yield slice;
  }
}

async function readPage(tx: Orm, replay: Replay): Promise<Page> {
  await lockMonths(tx);
  const { id, name, chainId, shortId, coSigner } = replay.device;
  const range = { device: id, after: replay.last.seq, upTo: Number.MAX_SAFE_INTEGER };
  const rows = (await readingsIn(tx, [range], PAGE)).get(id) ?? [];
  const ended = rows.length < PAGE;
  const [head = null] = await tx.select().from(deviceHead).where(eq(deviceHead.device, id));
  const [newest] = await tx
    .select({ number: max(telemetryBatch.number) })
    .from(telemetryBatch)
    .where(and(eq(telemetryBatch.chainId, chainId), eq(telemetryBatch.stream, wordOf(shortId))));
  return {
    rows,
    ended,
    head,
    buckets: ended ? await readBuckets(tx, bucketsAhead(replay)) : [],
    keys: await chainKeys(tx, chainId, coSigner === null ? [name] : [name, coSigner]),
    losses: await lossesOf(tx, replay.device),
    lastBatch: newest?.number ?? 0,
  };
}

async function lossesOf(tx: Orm, { name, chainId, shortId }: DeviceRow): Promise<DeviceLosses> {
  const { device } = declaredLoss;
  const rows = await tx
    .select()
    .from(declaredLoss)
    .where(
      or(eq(device, name), and(isNull(device), eq(declaredLoss.chainId, chainId), eq(declaredLoss.shortId, shortId))),
    );
  const own = rows.filter((row) => row.device !== null);
  return { after: new Set(own.map(({ afterSeq }) => afterSeq)), ofBatch: own.length < rows.length };
}

function compareHead(
  { slice, fleet }: { slice: Slice; fleet: Fleet },
  replay: Replay,
  { head, losses }: Pick<Page, "head" | "losses">,
): void {
  const { device, last, good } = replay;
  const about = fleet.about("device_head", device);
  if (head === null) {
    recordRow(slice, about, { expected: `number ${last.seq}` });
    return;
  }
  const countsMore = head.readings > replay.readings || !replay.whole;
  if (head.seq > last.seq && toHex(head.hash) !== last.hash && countsMore) {
    const missing = fleet.about("reading", device, numbersOf(last.seq + 1, head.seq));
    recordRow(slice, missing, { expected: head.hash });
    return;
  }
  compareColumns(slice, about, {
    seq: [last.seq, head.seq],
    hash: [last.hash, head.hash],
    time: [last.time, head.time],
    accepted: [last.accepted ?? head.accepted, head.accepted],
    ...(replay.whole && replay.known && { readings: [replay.readings, head.readings] as const }),
    ...(replay.known && {
      good_seq: [good?.seq ?? null, head.goodSeq] as const,
      good_time: [good?.time ?? null, head.goodTime] as const,
      good_value: [good?.value ?? null, head.goodValue] as const,
      repeats: [replay.repeats, head.repeats] as const,
    }),
  });
  compareRejoins({ slice, about }, { head, losses });
}

/** After a lost batch it depends on the order of the declaration and of the next reading, which no row states. */
function compareRejoins(
  { slice, about }: { slice: Slice; about: About },
  { head, losses }: { head: HeadRow; losses: DeviceLosses },
): void {
  const must = losses.after.has(head.seq);
  if (must || !losses.ofBatch) compareColumns(slice, about, { rejoins: [must, head.rejoins] });
}

/** Returns the devices of which a reading was accepted at or after `since` (Unix milliseconds). */
export async function devicesSince(orm: Orm, since: number): Promise<number[]> {
  const rows = await orm
    .select({ device: deviceHead.device })
    .from(deviceHead)
    .where(gte(deviceHead.accepted, since))
    .orderBy(deviceHead.device);
  return rows.map(({ device }) => device);
}

/** Numbers to look back for a device's last good reading and how often its value occurred. */
const LOOK_BACK = 5_000;

/**
 * The state of a device before its first reading that was accepted at or after `since` (Unix milliseconds), from the
 * stored readings. What they do not tell is not compared.
 */
export async function replayBefore(tx: Orm, device: DeviceRow, since: number): Promise<Replay> {
  const replay = { ...newReplay(device), whole: false, breaks: await lostBatches(tx, device) };
  const ofDevice = eq(reading.device, device.id);
  const [last] = await tx
    .select()
    .from(reading)
    .where(and(ofDevice, lt(reading.accepted, since)))
    .orderBy(desc(reading.seq))
    .limit(1);
  const [first] = await tx.select().from(reading).where(ofDevice).orderBy(reading.seq).limit(1);
  const hasAll = first !== undefined && toHex(first.prev) === noReading && (last?.seq ?? 0) <= LOOK_BACK;
  if (last === undefined) {
    if (!hasAll) loseTrack(replay);
    return replay;
  }
  replay.last = { ...last, hash: toHex(last.hash) };
  const earlier = and(ofDevice, lte(reading.seq, last.seq), gt(reading.seq, last.seq - LOOK_BACK));
  const newest = (condition: ReturnType<typeof and>) =>
    tx.select().from(reading).where(condition).orderBy(desc(reading.seq)).limit(1);
  const [good] = await newest(and(earlier, isNull(reading.flaw)));
  const [other] = good ? await newest(and(earlier, isNull(reading.flaw), ne(reading.value, good.value))) : [];
  if (other === undefined && !hasAll) replay.known = false;
  if (good === undefined) return replay;
  replay.good = good;
  replay.repeats = await tx.$count(
    reading,
    and(earlier, sql`${reading.seq} > ${other?.seq ?? 0}`, or(isNull(reading.flaw), eq(reading.flaw, "frozen"))),
  );
  return replay;
}

/** Number of batches of a device's product that were declared lost. */
function lostBatches(tx: Orm, { chainId, shortId }: DeviceRow): Promise<number> {
  const ofProduct = and(eq(declaredLoss.chainId, chainId), eq(declaredLoss.shortId, shortId));
  return tx.$count(declaredLoss, and(ofProduct, isNotNull(declaredLoss.batch)));
}
