import type { AnchoredBatch, BatchHeader, SignedReading } from "../api/telemetry.ts";
import { BatchFileError, batchDigest, dataHashOf, nextHead, readBatchFile } from "./batch.ts";
import { type AnchoredFigures, type ChainReader, isAnchored, type KeyOnChain, keyAt } from "./chain.ts";
import {
  encodeReading,
  fromHex,
  type HexText,
  leafOf,
  nameHex,
  noReading,
  readingHash,
  readingOf,
  toHex,
} from "./reading.ts";
import { isSignature } from "./signatures.ts";
import { anchoredStep, clockLead, judged, malformedSteps, type Reason, type Step } from "./steps.ts";
import { buildTree } from "./tree.ts";

/** The checks of a batch file: first those of each reading, then those of the whole file. */
export const fileSteps = ["form", "key", "signature", "chain", "tree", "batch", "anchored", "time"] as const;
/** `co_signature` follows the signature if a reading has one. */
export type FileStep = Step<(typeof fileSteps)[number] | "co_signature"> & Skipped;

interface Skipped {
  /** In `chain`: the count of numbers that devices skipped. Missing if there are none. */
  skipped?: number;
}

const figureNames = ["number", "previous_head", "root", "from", "to", "count", "data_hash", "head"] as const;

/**
 * Figures of the batch that are published elsewhere, and the digests of the batches after it up to a head that the
 * contract stores.
 */
export type PublishedBatch = Partial<Pick<AnchoredBatch, (typeof figureNames)[number]>> & { later?: readonly string[] };

/** Called and awaited repeatedly while signatures are checked, so that a page can show progress and stay responsive. */
export type OnChecked = (signatures: { checked: number; of: number }) => void | Promise<void>;

/** A signature over a reading's encoding, and the key that should have made it. */
export interface Signed {
  key: Pick<KeyOnChain, "kind" | "x" | "y">;
  encoding: Uint8Array;
  signature: Uint8Array;
}

/** Checks signatures, `atOnce` at a time. Returns the result of `isSignature` for each. */
export interface SignatureCheck {
  atOnce: number;
  check(signed: readonly Signed[]): Promise<(boolean | null)[]>;
}

/**
 * Checks on this thread. The number is large enough to keep WebCrypto busy and small enough that secp256k1 does not
 * block for long.
 */
export const alone: SignatureCheck = {
  atOnce: 64,
  check: (signed) => Promise.all(signed.map(({ key, encoding, signature }) => isSignature(key, encoding, signature))),
};

/**
 * Runs all steps in order, even if earlier ones failed. If `chain` is null, the steps that need the chain are unknown.
 */
export async function verifyBatchFile(
  file: Uint8Array,
  {
    chain,
    published = {},
    onChecked = () => {},
    signatures = alone,
  }: { chain: ChainReader | null; published?: PublishedBatch; onChecked?: OnChecked; signatures?: SignatureCheck },
): Promise<FileStep[]> {
  const read = linesOf(file);
  if ("reason" in read) return malformedSteps(fileSteps, read);
  const { header, lines } = read;
  const marks = lines.map((line) => ({ line, by: line.reading.device, signature: line.reading.signature }));
  const coMarks = lines.flatMap((line) => (line.reading.co_signature ? [{ line, ...line.reading.co_signature }] : []));
  const of = marks.length + coMarks.length;
  const keys = await keysOf(marks, chain, header.contract);
  const root = toHex(buildTree(lines.map(({ hash }) => leafOf(hash))).root);
  const [batch, anchored] = await anchoringSteps(read, chain, published);
  return [
    { step: "form", state: "pass" },
    keyStep({ step: "key", reason: "no_key", marks, keys }),
    await signatureStep({
      step: "signature",
      marks,
      keys,
      checking: signatures,
      onChecked: (checked) => onChecked({ checked, of }),
    }),
    ...(await coSignatureSteps({
      marks: coMarks,
      chain,
      contract: header.contract,
      signatures,
      onChecked: (checked) => onChecked({ checked: marks.length + checked, of }),
    })),
    chainStep(lines, header.number),
    { ...judged("tree", root === header.root, "root"), found: root },
    batch,
    anchored,
    firstWrong({
      lines,
      step: "time",
      reason: "reading_after_batch",
      isWrong: ({ second }) => second > header.to + clockLead,
    }),
  ];
}

/**
 * Runs only the steps `batch` and `anchored`, for a file whose readings are already checked if only the published
 * figures have changed. Empty if the file's form is wrong.
 */
export async function verifyAnchoring(
  file: Uint8Array,
  chain: ChainReader | null,
  published: PublishedBatch,
): Promise<FileStep[]> {
  const read = linesOf(file);
  return "reason" in read ? [] : anchoringSteps(read, chain, published);
}

async function anchoringSteps(
  { header, figures }: Batch,
  chain: ChainReader | null,
  published: PublishedBatch,
): Promise<[FileStep, FileStep]> {
  const anchored = await isAnchored(chain, header.contract, { ...figures, later: published.later ?? [] });
  return [batchStep(header, figures, published), anchoredStep(header, chain, anchored)];
}

/** The checks of a file against the file of the previous batch. */
export const followingSteps = ["form", "batch", "chain"] as const;

/**
 * `unseen`: none of the files contains the reading before the first one of `device` in this file, so one may be
 * missing.
 */
export type FollowingStep = Omit<Step<(typeof followingSteps)[number]>, "reason"> &
  Skipped & { reason?: Reason | "unseen"; device?: string };

/** The state with which the next reading of a device is compared. */
export interface LastReading {
  hash: HexText;
  seq: number;
  time: number;
}

/**
 * Checks whether two batch files are consecutive: the batches follow each other, and the first readings of each device
 * in the second file follow its last ones before. `verifyBatchFile` checks each file by itself.
 * @param lastReadings the last readings by device before the first of the two files, for a run of files that are
 *   checked pair by pair in order. The last readings of the first file are added here, so that a device's last reading
 *   survives a batch without any of its readings.
 */
export function verifyFollowing(
  before: Uint8Array,
  next: Uint8Array,
  lastReadings: Map<string, LastReading> = new Map(),
): FollowingStep[] {
  const [a, b] = [linesOf(before), linesOf(next)];
  if ("reason" in a || "reason" in b) return malformedSteps(followingSteps, "reason" in b ? b : { reason: "form" });
  const same = (["chain_id", "contract", "short_id"] as const).every((name) => a.header[name] === b.header[name]);
  const follows = same && b.header.number === a.header.number + 1 && b.header.from > a.header.to;
  const head = nextHead(a.header.previous_head, batchDigest(a.figures));
  const reason = !same ? "stream" : follows ? "head" : "number";
  for (const line of a.lines) lastReadings.set(line.reading.device, lastOf(line));
  return [
    { step: "form", state: "pass" },
    { ...judged("batch", follows && b.header.previous_head === head, reason), found: head },
    linkStep(b.lines, lastReadings),
  ];
}

interface FileReading {
  /** The line in the file. The header is line 1. */
  number: number;
  reading: SignedReading;
  encoding: Uint8Array;
  hash: Uint8Array;
  second: number;
}
interface Batch {
  header: BatchHeader;
  figures: AnchoredFigures;
  lines: FileReading[];
}

function linesOf(file: Uint8Array): Batch | { reason: Reason; line: number } {
  let line = 1;
  try {
    const { header, readings } = readBatchFile(file);
    const { number, previous_head, root, from, to, count } = header;
    const figures = {
      stream: nameHex(header.short_id),
      number,
      previousHead: previous_head,
      root,
      from,
      to,
      count,
      dataHash: dataHashOf(file),
      later: [],
    };
    // Throws if a value does not fit into the contract's words.
    batchDigest(figures);
    const lines = readings.map((reading): FileReading => {
      line++;
      const encoding = encodeReading(readingOf(reading));
      const second = Math.floor(reading.time / 1_000);
      return { number: line, reading, encoding, hash: readingHash(encoding), second };
    });
    return { header, figures, lines };
  } catch (error) {
    return error instanceof BatchFileError ? { reason: "shape", line: error.line } : { reason: "range", line };
  }
}

/** A signature over a line's reading, and the name of its claimed signer. */
interface Mark {
  line: FileReading;
  by: string;
  signature: string;
}
interface Keys {
  /** The key by signature. Missing if the signer had no key or the chain did not answer. */
  bySignature: Map<Mark, KeyOnChain>;
  /** The reason why the chain did not answer. */
  silent?: Reason;
}

const nowhere: KeyOnChain = { kind: null, x: noReading, y: noReading, validFrom: 0n, validUntil: 0n };

/** Reads the key of each signature. A key is requested once for the time that it is valid. */
async function keysOf(marks: readonly Mark[], chain: ChainReader | null, contract: string): Promise<Keys> {
  const bySignature = new Map<Mark, KeyOnChain>();
  let current: { by: string; key: KeyOnChain } = { by: "", key: nowhere };
  for (const mark of marks) {
    const { by, line } = mark;
    // After a missing key, further keys of the device are not requested, because the file is already wrong.
    if (current.by !== by || (current.key.kind !== null && !holdsIn(current.key, line.second))) {
      const result = await keyAt({ chain, contract, device: by, second: line.second });
      if ("silent" in result) return { bySignature, silent: result.silent };
      current = { by, key: result.answer };
    }
    if (current.key.kind !== null) bySignature.set(mark, current.key);
  }
  return { bySignature };
}

const holdsIn = ({ validFrom, validUntil }: KeyOnChain, second: number) =>
  validFrom <= BigInt(second) && BigInt(second) <= validUntil;

function keyStep<Name extends string>({
  step,
  reason,
  marks,
  keys,
}: {
  step: Name;
  reason: Reason;
  marks: readonly Mark[];
  keys: Keys;
}): Step<Name> {
  if (keys.silent !== undefined) return { step, state: "unknown", reason: keys.silent };
  const keyless = marks.find((mark) => !keys.bySignature.has(mark));
  return keyless ? { step, state: "fail", reason, line: keyless.line.number } : { step, state: "pass" };
}

async function signatureStep<Name extends "signature" | "co_signature">({
  step,
  marks,
  keys: { bySignature, silent },
  checking: { atOnce, check },
  onChecked,
}: {
  step: Name;
  marks: readonly Mark[];
  keys: Keys;
  checking: SignatureCheck;
  onChecked: (checked: number) => void | Promise<void>;
}): Promise<Step<Name>> {
  const signed = marks.filter((mark) => bySignature.has(mark));
  for (let start = 0; start < signed.length; start += atOnce) {
    await onChecked(start);
    const some = signed.slice(start, start + atOnce);
    const answers = await check(
      some.map((mark) => {
        const { kind, x, y } = bySignature.get(mark) as KeyOnChain;
        return { key: { kind, x, y }, encoding: mark.line.encoding, signature: fromHex(mark.signature) };
      }),
    );
    const wrong = some[answers.indexOf(false)];
    if (wrong) return { step, state: "fail", reason: step, line: wrong.line.number };
    if (answers.includes(null)) return { step, state: "unknown", reason: "no_webcrypto" };
  }
  return signed.length === marks.length
    ? { step, state: "pass" }
    : { step, state: "unknown", reason: silent ?? "no_key" };
}

/** Checks the keys and signatures of co-signers for readings with two signatures. */
async function coSignatureSteps({
  marks,
  chain,
  contract,
  signatures,
  onChecked,
}: {
  marks: readonly Mark[];
  chain: ChainReader | null;
  contract: string;
  signatures: SignatureCheck;
  onChecked: (checked: number) => void | Promise<void>;
}): Promise<Step<"co_signature">[]> {
  const step = "co_signature";
  if (marks.length === 0) return [];
  const own = marks.find(({ by, line }) => by === line.reading.device);
  if (own) return [{ step, state: "fail", reason: "own_co_signer", line: own.line.number }];
  const keys = await keysOf(marks, chain, contract);
  const key = keyStep({ step, reason: "no_co_key", marks, keys });
  return [key.state === "fail" ? key : await signatureStep({ step, marks, keys, checking: signatures, onChecked })];
}

/** The state before a device's first reading, whose `prev` is 0. */
const beginning: LastReading = { hash: noReading, seq: 0, time: Number.NEGATIVE_INFINITY };
const lastOf = ({ hash, reading: { seq, time } }: FileReading): LastReading => ({ hash: toHex(hash), seq, time });

/** Within a file each reading must name its device's previous one and be later. In batch 1 every device begins. */
function chainStep(lines: readonly FileReading[], batch: number): Step<"chain"> & Skipped {
  const last = new Map<string, LastReading>();
  let skipped = 0;
  for (const line of lines) {
    const { device, prev, seq } = line.reading;
    const before = last.get(device) ?? (batch === 1 || prev === noReading ? beginning : undefined);
    const reason = before && wrongAfter(before, line);
    if (reason) return { step: "chain", state: "fail", reason, line: line.number };
    if (before) skipped += seq - before.seq - 1;
    last.set(device, lastOf(line));
  }
  return { step: "chain", state: "pass", ...(skipped > 0 && { skipped }) };
}

/** Each device's first reading in a file must name its last one in the files before. */
function linkStep(lines: readonly FileReading[], last: ReadonlyMap<string, LastReading>): FollowingStep {
  const checked = new Set<string>();
  let unseen: FileReading | undefined;
  let skipped = 0;
  for (const line of lines) {
    const { device, prev, seq } = line.reading;
    if (checked.has(device)) continue;
    checked.add(device);
    const before = last.get(device);
    const reason = before && wrongAfter(before, line);
    if (reason) return { step: "chain", state: "fail", reason, line: line.number };
    if (before) skipped += seq - before.seq - 1;
    else if (prev !== noReading) unseen ??= line;
  }
  return unseen
    ? { step: "chain", state: "unknown", reason: "unseen", line: unseen.number, device: unseen.reading.device }
    : { step: "chain", state: "pass", ...(skipped > 0 && { skipped }) };
}

function wrongAfter(before: LastReading, { reading: { prev, seq, time } }: FileReading): Reason | null {
  if (prev !== before.hash || seq <= before.seq) return "prev";
  return time <= before.time ? "time_order" : null;
}

function batchStep(header: BatchHeader, figures: AnchoredFigures, published: PublishedBatch): Step<"batch"> {
  const head = nextHead(figures.previousHead, batchDigest(figures));
  const { from, to } = header;
  if (from > to) return { step: "batch", state: "fail", reason: "range" };
  const own = { ...header, data_hash: figures.dataHash, head };
  const same = figureNames.every((name) => published[name] === undefined || published[name] === own[name]);
  return { ...judged("batch", same, "published"), found: head };
}

/** Fails at the first line for which `isWrong` returns true. */
function firstWrong<Name extends string>({
  lines,
  step,
  reason,
  isWrong,
}: {
  lines: readonly FileReading[];
  step: Name;
  reason: Reason;
  isWrong: (line: FileReading) => boolean;
}): Step<Name> {
  const wrong = lines.find(isWrong);
  return wrong ? { step, state: "fail", reason, line: wrong.number } : { step, state: "pass" };
}
