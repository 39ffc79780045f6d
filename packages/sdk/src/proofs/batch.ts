import { keccak_256 } from "@noble/hashes/sha3";
import { concatBytes } from "@noble/hashes/utils";
import type { BatchHeader, SignedReading } from "../api/telemetry.ts";
import { isBatchHeader, isSignedReading } from "./form.ts";
import { fromHex, type HexText, numberWord, toHex } from "./reading.ts";

/** A batch's fields on chain. Hashes as 0x and 64 hex digits, times in Unix seconds. */
export interface BatchFigures {
  /** `nameHex` of the product's short id. */
  stream: string;
  number: number;
  root: string;
  from: number;
  to: number;
  count: number;
  dataHash: string;
}

/**
 * The digest that a batch adds to its stream's head: `batchDigest` of the contract.
 * @throws RangeError if a number does not fit into the contract's type
 */
export function batchDigest({ stream, number, root, from, to, count, dataHash }: BatchFigures): HexText {
  if (count >= 2 ** 32) throw new RangeError("The number of readings must fit into 32 bits");
  return toHex(keccak_256(concatBytes(...[stream, number, root, from, to, count, dataHash].map(word))));
}

/**
 * The stream's head after a batch. Before the first batch it is 0, like `noReading`.
 * @example nextHead(`0x${"0".repeat(64)}`, `0x${"1".repeat(64)}`) // "0x8e4b8e18156a1c7271055ce5b7ef53bb370294ebd631a3b95418a92da46e681f"
 */
export function nextHead(previous: string, digest: string): HexText {
  return toHex(keccak_256(concatBytes(fromHex(previous), fromHex(digest))));
}

/**
 * The hash of a batch file that is stored on chain.
 * @example dataHashOf(new Uint8Array()) // "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
 */
export function dataHashOf(file: Uint8Array): HexText {
  return toHex(keccak_256(file));
}

/** An error in a batch file. `line` is the number of the wrong line; the header is line 1. */
export class BatchFileError extends Error {
  override name = "BatchFileError";

  constructor(
    readonly line: number,
    message: string,
  ) {
    super(`Line ${line}: ${message}`);
  }
}

/**
 * Writes the file of a batch: the header and the readings, ordered by device and number, one JSON object per line.
 * @throws RangeError if `count` of the header differs from the number of readings
 */
export function writeBatchFile(header: BatchHeader, readings: readonly SignedReading[]): Uint8Array {
  if (header.count !== readings.length)
    throw new RangeError(`The header counts ${header.count} readings, but ${readings.length} are given`);
  const lines = readings.toSorted(byDeviceAndNumber).map(readingLine);
  return new TextEncoder().encode([headerLine(header), ...lines, ""].join("\n"));
}

/**
 * Parses a batch file and requires each byte to be as `writeBatchFile` writes it. Does not check the content;
 * `verifyBatchFile` does.
 * @throws BatchFileError at the first line that differs
 */
export function readBatchFile(file: Uint8Array): { header: BatchHeader; readings: SignedReading[] } {
  let lines: string[];
  try {
    lines = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file).split("\n");
  } catch {
    throw new BatchFileError(1, "the file is not UTF-8");
  }
  if (lines.pop() !== "") throw new BatchFileError(lines.length + 1, "the last line has no line end");
  const [first = "", ...rest] = lines;
  const header = parsed(first);
  if (!isBatchHeader(header) || headerLine(header) !== first) throw new BatchFileError(1, "not the header of a batch");
  let before: SignedReading | null = null;
  const readings = rest.map((line, index) => {
    const reading = parsed(line);
    if (!isSignedReading(reading) || readingLine(reading) !== line) {
      throw new BatchFileError(index + 2, "not a reading in its canonical form");
    }
    if (before !== null && byDeviceAndNumber(before, reading) >= 0) {
      throw new BatchFileError(index + 2, "out of order: readings must be sorted by device and number");
    }
    before = reading;
    return reading;
  });
  if (readings.length !== header.count) {
    throw new BatchFileError(1, `the header counts ${header.count} readings, the file holds ${readings.length}`);
  }
  return { header, readings };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Names are ASCII, so the order of their characters equals the order of their bytes. */
function byDeviceAndNumber(a: SignedReading, b: SignedReading): number {
  if (a.device !== b.device) return a.device < b.device ? -1 : 1;
  return a.seq - b.seq;
}

function headerLine(header: BatchHeader): string {
  const { format, chain_id, contract, short_id, number, previous_head, root, from, to, count, log } = header;
  const own = { format, chain_id, contract, short_id, number, previous_head, root, from, to, count };
  // A file from before the log has no such field, and its hash on chain is of its bytes.
  return JSON.stringify(log ? { ...own, log: { origin: log.origin, size: log.size, root: log.root } } : own);
}

function readingLine(reading: SignedReading): string {
  const { device, seq, time, metric, value, exponent, prev, signature, co_signature: co } = reading;
  const own = { device, seq, time, metric, value, exponent, prev, signature };
  return JSON.stringify(co ? { ...own, co_signature: { by: co.by, signature: co.signature } } : own);
}

const word = (value: string | number) => (typeof value === "string" ? fromHex(value) : numberWord(value));
