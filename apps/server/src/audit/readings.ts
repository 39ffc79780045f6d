import { encodeReading, type HexText, noReading, type Reading, readingHash, toHex } from "@aqua/sdk/proofs/reading";
import type { ChainKeys } from "./deviceKeys.ts";
import type { Fleet } from "./fleet.ts";
import { advance, type Bucket, flawOf, loseTrack, type Replay } from "./replay.ts";
import { compareColumns, recordRow, type Slice } from "./slice.ts";
import { earliestAccepted, type ReadingRow } from "./storedReadings.ts";

/** What a device signed, and its hash. */
export interface Told extends Reading {
  encoding: Uint8Array;
  hash: HexText;
}

/** @throws RangeError that begins with the name of the field that is out of its range */
export function toldOf(reading: Reading): Told {
  const encoding = encodeReading(reading);
  return { ...reading, encoding, hash: toHex(readingHash(encoding)) };
}

export interface Checking {
  slice: Slice;
  fleet: Fleet;
  keys: ChainKeys;
  /** Whether the readings of this device after a number were declared lost. */
  isLostAfter(device: string, seq: number): boolean;
}

/** Whether the device's next reading may name `prev`. Uses up a declared loss if the readings do not follow. */
export function follows({ isLostAfter }: Checking, replay: Replay, prev: HexText): boolean {
  const { device, last } = replay;
  if (prev === last.hash || isLostAfter(device.name, last.seq)) return true;
  if (replay.breaks === 0) return false;
  replay.breaks -= 1;
  return true;
}

const aboutRow = ({ fleet }: Checking, { device }: Replay, { seq }: Pick<ReadingRow, "seq">) =>
  fleet.about("reading", device, `number ${seq}`);

/** Checks what the server added to a reading: the flaw, and the time of acceptance. */
export function checkAdded(checking: Checking, replay: Replay, row: ReadingRow): void {
  const about = aboutRow(checking, replay, row);
  if (replay.known) compareColumns(checking.slice, about, { flaw: [flawOf(replay, row), row.flaw] });
  const earliest = earliestAccepted(row.time);
  const accepted = row.accepted >= earliest ? row.accepted : `${earliest} or later`;
  compareColumns(checking.slice, about, { accepted: [accepted, row.accepted] });
}

/** Checks the stored signatures over what the device must have signed. Returns whether the device's own is right. */
export async function checkSignatures(
  checking: Checking,
  { replay, row, told: { time, encoding } }: { replay: Replay; row: ReadingRow; told: Told },
): Promise<boolean> {
  const { slice, keys } = checking;
  const { name, coSigner } = replay.device;
  const { signature, coSignature } = row;
  const about = aboutRow(checking, replay, row);
  const isSigned = await keys.signed(name, { time, encoding, signature });
  compareColumns(slice, about, { signature: [isSigned ? signature : null, signature] });
  let wanted: Uint8Array | string | null = null;
  if (coSigner !== null && coSignature === null) wanted = `a signature by ${coSigner}`;
  else if (coSigner !== null && coSignature !== null) {
    const isCoSigned = await keys.signed(coSigner, { time, encoding, signature: coSignature });
    wanted = isCoSigned ? coSignature : null;
  }
  compareColumns(slice, about, { co_signature: [wanted, coSignature] });
  return isSigned;
}

/**
 * Checks a stored reading that is in no batch, or whose batch is not at hand, and adds it to the replay. Returns the
 * buckets that it left.
 */
export async function checkUnbatched(checking: Checking, replay: Replay, row: ReadingRow): Promise<Bucket[]> {
  const { slice } = checking;
  const about = aboutRow(checking, replay, row);
  const hash = toHex(row.hash);
  if (row.seq <= replay.last.seq) {
    recordRow(slice, about, { found: hash });
    return [];
  }
  const written = writtenBy(checking, replay, row);
  if (written === null) return [];
  const told = await proved(checking, { replay, row, told: written });
  checkPlace(checking, { replay, row, told });
  checkAdded(checking, replay, row);
  const { seq, time, value, accepted } = row;
  const flaw = replay.known ? flawOf(replay, row) : row.flaw;
  return advance(replay, { seq, time, value, accepted, hash: told.hash }, flaw);
}

/** Returns what the stored fields say. Null if no device can have signed them. */
function writtenBy(checking: Checking, replay: Replay, row: ReadingRow): Told | null {
  const { name, metric, exponent } = replay.device;
  const { seq, time, value } = row;
  try {
    return toldOf({ device: name, seq, time, metric, value, exponent, prev: toHex(row.prev) });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const [column = ""] = error.message.split(" ");
    const ofReading = { seq, time, prev: row.prev }[column];
    const ofDevice = { device: name, metric, exponent }[column] ?? null;
    const about =
      ofReading === undefined ? checking.fleet.about("device", replay.device) : aboutRow(checking, replay, row);
    const named = column === "device" ? "name" : column;
    compareColumns(checking.slice, about, { [named]: [error.message, ofReading ?? ofDevice] });
    loseTrack(replay);
    replay.last = { seq, time, value, hash: toHex(row.hash), accepted: row.accepted };
    return null;
  }
}

/** Returns the reading as the device signed it, as far as its hash and signature tell. */
async function proved(
  checking: Checking,
  { replay, row, told }: { replay: Replay; row: ReadingRow; told: Told },
): Promise<Told> {
  const { slice } = checking;
  const about = aboutRow(checking, replay, row);
  const stored = toHex(row.hash);
  // If only `prev` was changed, the hash holds again with the hash of the reading before in its place.
  const mended = toldOf({ ...told, prev: replay.last.hash });
  const one = told.hash !== stored && mended.hash === stored ? mended : told;
  compareColumns(slice, about, { prev: [one.prev, row.prev] });
  const isSigned = await checkSignatures(checking, { replay, row, told: one });
  compareColumns(slice, about, { hash: [one.hash, stored] });
  if (!isSigned) replay.known = false;
  // A hash that differs from a signed reading was changed; otherwise the reading was, and later ones name its hash.
  return isSigned ? one : { ...one, hash: stored };
}

export const numbersOf = (first: number, last: number) =>
  first === last ? `number ${first}` : `numbers ${first} to ${last}`;

/** Checks that a reading follows the one before. */
function checkPlace(checking: Checking, { replay, row, told }: { replay: Replay; row: ReadingRow; told: Told }): void {
  const { slice, fleet } = checking;
  const { last, device } = replay;
  const about = aboutRow(checking, replay, row);
  const { isLinked } = replay;
  replay.isLinked = true;
  if (isLinked && !follows(checking, replay, told.prev)) {
    replay.known = false;
    const [first, end] = [last.seq + 1, row.seq - 1];
    if (first > end) compareColumns(slice, about, { prev: [last.hash, told.prev] });
    else {
      recordRow(slice, fleet.about("reading", device, numbersOf(first, end)), { expected: told.prev });
    }
  }
  const isLater = row.time > last.time || last.hash === noReading;
  compareColumns(slice, about, { time: [isLater ? row.time : `later than ${last.time}`, row.time] });
}
