import type { BatchHeader, SignedReading } from "@aqua/sdk/api/telemetry";
import { BatchFileError, batchDigest, dataHashOf, nextHead, readBatchFile } from "@aqua/sdk/proofs/batch";
import { fromHex, type HexText, leafOf, nameHex, toHex } from "@aqua/sdk/proofs/reading";
import { buildTree } from "@aqua/sdk/proofs/tree";
import { ApiError } from "../errors.ts";
import { type FormedReading, formOf } from "./form.ts";

/** A consistent batch file: its readings have the right form and produce its root. */
export interface BatchFile {
  file: Uint8Array;
  header: BatchHeader;
  stream: HexText;
  dataHash: HexText;
  /** Head of the stream after this batch. */
  head: HexText;
  readings: FormedReading[];
}

const START = Buffer.from('\n{"format":"aqua-batch-1"');

/** Splits the body of a call into its files, one or several in sequence. */
export function splitFiles(body: Buffer): Buffer[] {
  const files: Buffer[] = [];
  for (let from = 0; from < body.length; ) {
    const next = body.indexOf(START, from);
    const to = next < 0 ? body.length : next + 1;
    files.push(body.subarray(from, to));
    from = to;
  }
  return files;
}

/** @throws ApiError validation_error with the position and the reason */
export function openFile(file: Buffer): BatchFile {
  const { header, readings } = parse(file);
  const { number, root, from, to, count, short_id: shortId, previous_head: previousHead } = header;
  const formed = readings.map((reading, index) => {
    const one = formOf(reading);
    if (typeof one === "string") throw wrong(`Batch ${number} of ${shortId}, line ${index + 2}: ${one}`);
    return one;
  });
  const leaves = formed.map(({ hash }) => leafOf(fromHex(hash)));
  if (leaves.length === 0 || toHex(buildTree(leaves).root) !== root) {
    throw wrong(`Batch ${number} of ${shortId}: its readings do not make up its root`);
  }
  const stream = nameHex(shortId);
  const dataHash = dataHashOf(file);
  const head = nextHead(previousHead, batchDigest({ stream, number, root, from, to, count, dataHash }));
  return { file, header, stream, dataHash, head, readings: formed };
}

function parse(file: Buffer): { header: BatchHeader; readings: SignedReading[] } {
  try {
    return readBatchFile(file);
  } catch (error) {
    if (error instanceof BatchFileError || error instanceof RangeError) throw wrong(error.message);
    throw error;
  }
}

const wrong = (message: string) => new ApiError("validation_error", message);
