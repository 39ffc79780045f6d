import { noReading, toHex } from "@aqua/sdk/proofs/reading";
import { and, desc, eq, gt, gte, isNull, lt, lte, ne, or, sql } from "drizzle-orm";
import type { Database, Orm } from "../db/database.ts";
import { declaredLoss, deviceHead, reading, telemetryBatchPart } from "../telemetry/schema.ts";
import { bucketsAhead, compareBuckets, readBuckets } from "./buckets.ts";
import { chainKeys } from "./deviceKeys.ts";
import type { Fleet } from "./fleet.ts";
import { type Checking, checkUnbatched, numbersOf } from "./readings.ts";
import { type Bucket, type DeviceRow, grantBreaks, loseTrack, newReplay, type Replay } from "./replay.ts";
import { type About, compareColumns, newSlice, recordRow, type Slice } from "./slice.ts";
import { LAST_NUMBER, lockMonths, PAGE, type ReadingRow, readingsIn } from "./storedReadings.ts";

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
  /** Whether readings between the replay's last one and the first of the rows are in a batch. */
  isBatchBetween: boolean;
}

interface DeviceLosses {
  /** Numbers after which readings of the device were declared lost. */
  after: ReadonlySet<number | null>;
  /** Number of batches of its product that were declared lost. */
  batches: number;
}

/** Checks the stored readings of a device after the one that the replay has reached, and then its head and buckets. */
export async function* auditDevice(
  { db, fleet }: { db: Pick<Database, "orm" | "transaction">; fleet: Fleet },
  replay: Replay,
): AsyncGenerator<Slice> {
  for (let ended = false; !ended; ) {
    const page = await db.transaction((tx) => readPage(tx, replay), "repeatable read");
    const { rows, keys, losses } = page;
    // A number beyond those that devices can use ends the device, as no page can begin after it.
    ended = page.ended || !Number.isSafeInteger(rows.at(-1)?.seq);
    // The readings between are in a batch that was stored since, and their month was dropped.
    if (page.isBatchBetween) loseTrack(replay);
    grantBreaks(replay, losses.batches);
    const slice = newSlice();
    const checking: Checking = { slice, fleet, keys, isLostAfter: (_, seq) => losses.after.has(seq) };
    const closed: Bucket[] = [];
    for (const row of rows) closed.push(...(await checkUnbatched(checking, replay, row)));
    await compareBuckets(checking, [{ replay, closed, ended: page.ended }], async (ranges) =>
      page.ended ? page.buckets : readBuckets(db.orm, ranges),
    );
    if (page.ended && replay.isLinked) compareHead({ slice, fleet }, replay, page);
    yield slice;
  }
}

async function readPage(tx: Orm, replay: Replay): Promise<Page> {
  await lockMonths(tx);
  const { id, name, chainId, coSigner } = replay.device;
  const range = { device: id, after: replay.last.seq, upTo: LAST_NUMBER };
  const found = (await readingsIn(tx, [range], PAGE + 1)).get(id) ?? [];
  const ended = found.length <= PAGE;
  // The next page begins after the last number of this one, so a second row of that number belongs to this one.
  const rows = found[PAGE]?.seq === found[PAGE - 1]?.seq ? found : found.slice(0, PAGE);
  const { firstSeq, lastSeq } = telemetryBatchPart;
  const between = and(gt(lastSeq, replay.last.seq), sql`${firstSeq} < ${rows[0]?.seq ?? LAST_NUMBER}`);
  const isNext = rows[0] !== undefined && toHex(rows[0].prev) === replay.last.hash;
  const [head = null] = await tx.select().from(deviceHead).where(eq(deviceHead.device, id));
  return {
    rows,
    ended,
    head,
    buckets: ended ? await readBuckets(tx, bucketsAhead(replay)) : [],
    keys: await chainKeys(tx, chainId, coSigner === null ? [name] : [name, coSigner]),
    losses: await lossesOf(tx, replay.device),
    isBatchBetween:
      !isNext && (await tx.$count(telemetryBatchPart, and(eq(telemetryBatchPart.device, id), between))) > 0,
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
  return { after: new Set(own.map(({ afterSeq }) => afterSeq)), batches: rows.length - own.length };
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
  if (must || losses.batches === 0) compareColumns(slice, about, { rejoins: [must, head.rejoins] });
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
  const replay = { ...newReplay(device), whole: false };
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
