import type { SignedReading } from "@aqua/sdk/api/telemetry";
import type { Database } from "../db/database.ts";
import {
  checkBatch,
  checkParts,
  nextBatch,
  type OpenedFile,
  openFile,
  type StoredBatch,
  type Stream,
  shortIdOf,
  streamsOf,
} from "./batches.ts";
import { auditFileReadings, filedReadings } from "./batchReadings.ts";
import { auditDevice, devicesSince, replayBefore } from "./devices.ts";
import { correctDevice, type Fleet, readFleet } from "./fleet.ts";
import { auditRegister } from "./register.ts";
import { grantBreaks, loseTrack } from "./replay.ts";
import { type About, compareColumns, newSlice, recordRow, type Slice } from "./slice.ts";

export interface TelemetryAuditParts {
  db: Pick<Database, "orm" | "transaction">;
  chainIds: readonly number[];
  /** Unix milliseconds. Only readings accepted and batches created since then are checked, and no buckets. */
  since?: number;
}

interface Parts extends Pick<TelemetryAuditParts, "db"> {
  fleet: Fleet;
}

/**
 * Recomputes what is stored of devices, readings and batches from the device keys and batches on chain (`device_key` and
 * `anchor`, which another part of the audit checks), and finds rows that differ. The caller may pause after each slice.
 * Each slice reads from one snapshot.
 */
export async function* auditTelemetry({ db, chainIds, since }: TelemetryAuditParts): AsyncGenerator<Slice> {
  const fleet = await readFleet(db.orm, chainIds);
  const parts = { db, fleet };
  const streams = await streamsOf(db.orm, chainIds);
  if (since !== undefined) {
    for (const stream of streams) yield* auditNewBatches(parts, stream, since);
    for (const id of await devicesSince(db.orm, since)) {
      const device = fleet.byId.get(id)?.device;
      if (device === undefined || !chainIds.includes(device.chainId)) continue;
      yield* auditDevice(parts, await db.transaction((tx) => replayBefore(tx, device, since), "repeatable read"));
    }
    return;
  }
  for (const stream of streams) yield* auditStream(parts, stream);
  for (const replay of fleet.byId.values()) {
    if (chainIds.includes(replay.device.chainId)) yield* auditDevice(parts, replay);
  }
  yield* auditRegister(parts, chainIds);
}

async function* auditNewBatches({ db, fleet }: Parts, stream: Stream, since: number): AsyncGenerator<Slice> {
  for (let after = 0; ; ) {
    const stored = await db.transaction((tx) => nextBatch(tx, stream, { after, since }), "repeatable read");
    if (stored === null) return;
    after = stored.row.number;
    const slice = newSlice();
    const { opened } = await checkStored({ db, fleet }, slice, stored);
    if (opened !== null) await checkContent({ db, fleet }, slice, { stored, opened });
    yield slice;
  }
}

async function* auditStream({ db, fleet }: Parts, stream: Stream): AsyncGenerator<Slice> {
  const { chainId } = stream;
  let lost = 0;
  const shortId = shortIdOf(stream.stream);
  for (let after = 0; ; ) {
    const stored = await db.transaction((tx) => nextBatch(tx, stream, { after, since: 0 }), "repeatable read");
    if (stored === null) return;
    const { row, isDeclaredLost } = stored;
    const { number } = row;
    const slice = newSlice();
    const ofStream = [...fleet.byId.values()].filter(
      ({ device }) => device.chainId === chainId && device.shortId === shortId,
    );
    if (number > after + 1) {
      const missing = number === after + 2 ? `batch ${after + 1}` : `batches ${after + 1} to ${number - 1}`;
      recordRow(
        slice,
        { ...aboutBatch(fleet, stored), row: `${missing} of ${shortId}` },
        { expected: row.previousHead },
      );
      for (const replay of ofStream) loseTrack(replay);
    }
    after = number;
    const { opened } = await checkStored({ db, fleet }, slice, stored);
    const filed = opened === null ? null : await checkContent({ db, fleet }, slice, { stored, opened });
    if (row.file === null && isDeclaredLost) {
      lost += 1;
      for (const replay of ofStream) grantBreaks(replay, lost);
    } else if (filed === null) for (const replay of ofStream) loseTrack(replay);
    yield slice;
    yield* auditFileReadings({ db, fleet }, { chainId, readings: filed ?? [] });
  }
}

function aboutBatch(fleet: Fleet, { row: { chainId, stream, number } }: StoredBatch): About {
  const shortId = shortIdOf(stream);
  const row = `batch ${number} of ${shortId}`;
  return { table: "telemetry_batch", row, ...fleet.productOf(chainId, shortId) };
}

async function checkStored({ fleet }: Parts, slice: Slice, stored: StoredBatch) {
  const file = stored.row.file === null ? null : await openFile(stored.row.file);
  return { opened: checkBatch({ slice, about: aboutBatch(fleet, stored) }, stored, file) };
}

/** Checks a batch against the readings of its file. Returns them with their devices; null if a figure is out of range. */
async function checkContent(
  { db, fleet }: Parts,
  slice: Slice,
  { stored, opened }: { stored: StoredBatch; opened: OpenedFile },
) {
  const { row } = stored;
  const about = aboutBatch(fleet, stored);
  const { header, readings } = opened;
  if (readings.some(({ device }) => !fleet.byName.has(device))) await fleet.refresh(db.orm);
  correctDevices({ slice, fleet }, stored, opened);
  const found = await filedReadings(readings, ({ device }) => fleet.byName.get(device));
  const { chain_id, short_id, number, previous_head, from, to, count } = header;
  compareColumns(slice, about, {
    chain_id: [chain_id, row.chainId],
    short_id: [short_id, row.shortId],
    number: [number, row.number],
    previous_head: [previous_head, row.previousHead],
    root: [found?.root ?? null, row.root],
    from: [from, row.from],
    to: [to, row.to],
    count: [count, row.count],
  });
  const ofDevice = (device: number) => ({
    ...about,
    table: "telemetry_batch_part",
    row: `${about.row}, device ${device}`,
  });
  const idOf = (name: string) => fleet.byName.get(name)?.device.id;
  checkParts({ slice, about: ofDevice }, stored, { readings, idOf });
  return found?.filed ?? null;
}

/** Compares the devices of a batch with their first readings in it. */
function correctDevices(
  { slice, fleet }: Pick<Parts, "fleet"> & { slice: Slice },
  { parts }: StoredBatch,
  { header: { chain_id: chainId, short_id: shortId }, readings }: OpenedFile,
): void {
  const firsts = new Map<string, SignedReading>();
  for (const reading of readings) if (!firsts.has(reading.device)) firsts.set(reading.device, reading);
  // Devices of the batch by their ids whose stored name is not in the file.
  const renamed = parts.flatMap(({ device }) => {
    const replay = fleet.byId.get(device);
    return replay === undefined || firsts.has(replay.device.name) ? [] : [replay];
  });
  const nameless = [...firsts.keys()].filter((name) => !fleet.byName.has(name));
  for (const [name, { metric, exponent, co_signature: co }] of firsts) {
    const replay = fleet.byName.get(name) ?? (renamed.length === 1 && nameless.length === 1 ? renamed[0] : undefined);
    if (replay !== undefined) {
      correctDevice({ slice, fleet }, replay, { name, chainId, shortId, metric, exponent, coSigner: co?.by ?? null });
      continue;
    }
    const about = { table: "device", row: `device of the name ${name}`, device: name };
    recordRow(slice, { ...about, ...fleet.productOf(chainId, shortId) }, { expected: name });
  }
}
