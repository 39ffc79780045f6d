import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { BatchHeader, SignedReading } from "@aqua/sdk/api/telemetry";
import { BatchFileError, batchDigest, dataHashOf, nextHead, readBatchFile } from "@aqua/sdk/proofs/batch";
import { noReading } from "@aqua/sdk/proofs/reading";
import { and, asc, eq, gt, gte, inArray, max } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { anchor } from "../indexer/schema.ts";
import { declaredLoss, telemetryBatch, telemetryBatchPart } from "../telemetry/schema.ts";
import { type About, compareColumns, recordRow, type Slice } from "./slice.ts";

export type BatchRow = typeof telemetryBatch.$inferSelect;
type AnchorRow = typeof anchor.$inferSelect;

/** A product's stream of batches on a chain. */
export interface Stream {
  chainId: number;
  stream: Hex;
}

/** A stored batch and what must agree with it, in one snapshot. */
export interface StoredBatch {
  row: BatchRow;
  parts: (typeof telemetryBatchPart.$inferSelect)[];
  /** The batch on chain. Null if the chain has none of its number. */
  onChain: AnchorRow | null;
  /** Head of the stream before the batch, by the chain or by the row before. Null if neither has it. */
  headBefore: Hex | null;
  /** Number of the stream's last batch on chain. */
  lastOnChain: number;
  isDeclaredLost: boolean;
}

export async function streamsOf(orm: Orm, chainIds: readonly number[]): Promise<Stream[]> {
  return orm
    .selectDistinct({ chainId: telemetryBatch.chainId, stream: telemetryBatch.stream })
    .from(telemetryBatch)
    .where(inArray(telemetryBatch.chainId, [...chainIds]))
    .orderBy(asc(telemetryBatch.chainId), asc(telemetryBatch.stream));
}

/** Returns the first stored batch of a stream after a number that was created at or after `since`, or null. */
export async function nextBatch(
  tx: Orm,
  { chainId, stream }: Stream,
  { after, since }: { after: number; since: number },
): Promise<StoredBatch | null> {
  const own = and(eq(telemetryBatch.chainId, chainId), eq(telemetryBatch.stream, stream));
  const [row] = await tx
    .select()
    .from(telemetryBatch)
    .where(and(own, gt(telemetryBatch.number, after), gte(telemetryBatch.createTime, since)))
    .orderBy(asc(telemetryBatch.number))
    .limit(1);
  if (row === undefined) return null;
  const { number } = row;
  const ofStream = and(eq(anchor.chainId, chainId), eq(anchor.stream, stream));
  const anchors = await tx
    .select()
    .from(anchor)
    .where(and(ofStream, inArray(anchor.number, [number - 1, number])));
  const [newest] = await tx
    .select({ number: max(anchor.number) })
    .from(anchor)
    .where(ofStream);
  const [before] = await tx
    .select({ head: telemetryBatch.head })
    .from(telemetryBatch)
    .where(and(own, eq(telemetryBatch.number, number - 1)));
  const parts = await tx
    .select()
    .from(telemetryBatchPart)
    .where(
      and(
        eq(telemetryBatchPart.chainId, chainId),
        eq(telemetryBatchPart.stream, stream),
        eq(telemetryBatchPart.number, number),
      ),
    );
  const losses = await tx
    .select({ id: declaredLoss.id })
    .from(declaredLoss)
    .where(
      and(
        eq(declaredLoss.chainId, chainId),
        eq(declaredLoss.shortId, shortIdOf(stream)),
        eq(declaredLoss.batch, number),
      ),
    );
  const anchored = (wanted: number) => anchors.find((one) => one.number === wanted);
  return {
    row,
    parts,
    onChain: anchored(number) ?? null,
    headBefore: number === 1 ? noReading : (anchored(number - 1)?.head ?? before?.head ?? null),
    lastOnChain: newest?.number ?? 0,
    isDeclaredLost: losses.length > 0,
  };
}

/** The content of a batch file, and its hash. */
export interface OpenedFile {
  header: BatchHeader;
  readings: SignedReading[];
  dataHash: Hex;
}

const unzip = promisify(gunzip);
/** Larger files are none of this server. A few bytes of gzip can stand for gigabytes. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Opens a stored file. Returns the reason if it is not a batch file. */
export async function openFile(gzip: Uint8Array): Promise<OpenedFile | string> {
  let file: Uint8Array;
  try {
    file = await unzip(gzip, { maxOutputLength: MAX_FILE_BYTES });
  } catch (error) {
    return `not gzip: ${(error as Error).message}`;
  }
  try {
    return { ...readBatchFile(file), dataHash: dataHashOf(file) };
  } catch (error) {
    if (error instanceof BatchFileError) return error.message;
    throw error;
  }
}

type Figures = Pick<BatchRow, "root" | "from" | "to" | "count" | "dataHash">;

function headOf(row: Pick<BatchRow, "stream" | "number" | "previousHead"> & Figures): string {
  try {
    return nextHead(row.previousHead, batchDigest(row));
  } catch (error) {
    // A figure that fits into no batch, or hex digits that are none.
    return (error as Error).message;
  }
}

/**
 * Compares a batch row with the chain and with its file. Returns the file if it is the one that the chain or the row
 * commits to, and null if there is no such file.
 */
export function checkBatch(
  { slice, about }: { slice: Slice; about: About },
  { row, onChain, headBefore, lastOnChain, isDeclaredLost }: StoredBatch,
  file: OpenedFile | string | null,
): OpenedFile | null {
  const opened = typeof file === "string" ? null : file;
  // The row's own head covers its figures: if it holds, the file is wrong, and otherwise the row.
  const rowHolds = headOf(row) === row.head;
  const figures: Figures = onChain ?? (rowHolds || opened === null ? row : figuresOf(opened));
  const previousHead = headBefore ?? row.previousHead;
  const head = onChain?.head ?? headOf({ ...row, ...figures, previousHead });
  // After the last batch on chain, a batch may wait for its transaction.
  const anchoredHead = onChain === null && row.number <= lastOnChain ? null : head;
  compareColumns(slice, about, {
    root: [figures.root, row.root],
    from: [figures.from, row.from],
    to: [figures.to, row.to],
    count: [figures.count, row.count],
    data_hash: [figures.dataHash, row.dataHash],
    previous_head: [previousHead, row.previousHead],
    head: [anchoredHead, row.head],
    short_id: [shortIdOf(row.stream), row.shortId],
  });
  const found = typeof file === "string" ? file : (file?.dataHash ?? null);
  const expected = file === null && isDeclaredLost ? null : figures.dataHash;
  compareColumns(slice, about, { file: [expected, found] });
  return opened !== null && opened.dataHash === figures.dataHash ? opened : null;
}

const figuresOf = ({ header, dataHash }: OpenedFile): Figures => ({
  root: header.root as Hex,
  from: header.from,
  to: header.to,
  count: header.count,
  dataHash,
});

/** The short id that names a stream. */
export const shortIdOf = (stream: Hex) => Buffer.from(stream.slice(2), "hex").toString("latin1").replace(/\0+$/, "");

/** Compares the stored parts of a batch with the readings of its file. `idOf` returns a device's id by its name. */
export function checkParts(
  { slice, about }: { slice: Slice; about(device: number): About },
  { parts }: Pick<StoredBatch, "parts">,
  { readings, idOf }: { readings: readonly SignedReading[]; idOf(name: string): number | undefined },
): void {
  const expected = new Map<number, { first: number; last: number }>();
  for (const { device, seq } of readings) {
    const id = idOf(device);
    if (id !== undefined) expected.set(id, { first: expected.get(id)?.first ?? seq, last: seq });
  }
  const words = ({ first, last }: { first: number; last: number }) => `numbers ${first} to ${last}`;
  for (const { device, firstSeq: first, lastSeq: last } of parts) {
    const one = expected.get(device);
    if (one === undefined) recordRow(slice, about(device), { found: words({ first, last }) });
    else compareColumns(slice, about(device), { first_seq: [one.first, first], last_seq: [one.last, last] });
    expected.delete(device);
  }
  for (const [device, one] of expected) recordRow(slice, about(device), { expected: words(one) });
}
