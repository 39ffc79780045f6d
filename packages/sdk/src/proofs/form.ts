import type { BatchHeader, ReadingProof, SignedReading } from "../api/telemetry.ts";

// The shapes of `signedReading`, `batchHeader` and `readingProof` without zod, because zod alone exceeds the verifier's
// size limit. Tests compare both.

export const isSignedReading = (value: unknown): value is SignedReading => signedReading(value);
export const isBatchHeader = (value: unknown): value is BatchHeader => batchHeader(value);
export const isReadingProof = (value: unknown): value is ReadingProof => readingProof(value);

export type Check = (value: unknown) => boolean;

export const text =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value);
export const whole =
  (min: number, max = Number.MAX_SAFE_INTEGER): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
export const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
/** A hole in a sparse array is not an item either. `every` alone would skip it. */
export const listOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && Array.from(value).every(item);

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** An object with these fields. Further fields are allowed unless `strict`. */
export function fields(checks: Record<string, Check>, strict = false): Check {
  const entries = Object.entries(checks);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const record = value as Record<string, unknown>;
    return (
      entries.every(([name, check]) => check(record[name])) &&
      (!strict || Object.keys(record).every((name) => Object.hasOwn(checks, name)))
    );
  };
}

export const any = whole(Number.MIN_SAFE_INTEGER);
export const hash = text(/^0x[0-9a-f]{64}$/);
export const address = text(/^0x[0-9a-fA-F]{40}$/);
export const shortId = text(/^[a-z0-9-]{1,32}$/);

export const deviceName = text(/^[a-z0-9][a-z0-9-]{0,30}$/);
const signature = text(/^0x([0-9a-f]{128}|[0-9a-f]{130})$/);

export const signedReading = fields(
  {
    device: deviceName,
    seq: whole(1),
    time: whole(0),
    metric: text(/^[a-z0-9_]{1,31}$/),
    value: text(/^(0|-?[1-9]\d{0,18})$/),
    exponent: whole(-18, 18),
    prev: hash,
    signature,
    co_signature: optional(fields({ by: deviceName, signature }, true)),
  },
  true,
);

/** The fields of a batch that are both in its file and on chain. */
export const batchFigures = { number: whole(1), previous_head: hash, root: hash, from: any, to: any, count: whole(1) };

/** 32 bytes in base64. */
export const base64Hash = text(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/);

const batchHeader = fields(
  {
    format: oneOf("aqua-batch-1"),
    chain_id: whole(1),
    contract: address,
    short_id: shortId,
    ...batchFigures,
    log: optional(fields({ origin: text(/^[^\s+]+$/), size: whole(0), root: base64Hash }, true)),
  },
  true,
);

const readingProof = fields({
  format: oneOf("aqua-reading-proof-1"),
  reading: signedReading,
  key: fields({
    kind: oneOf("p256", "secp256k1"),
    x: hash,
    y: hash,
    valid_from: any,
    valid_until: (value) => value === null || any(value),
  }),
  leaf: hash,
  batch: fields({
    chain_id: any,
    contract: address,
    short_id: shortId,
    stream: hash,
    ...batchFigures,
    data_hash: hash,
    head: hash,
    block: any,
    block_time: whole(0),
    hash,
    later: listOf(hash),
  }),
  proof: listOf(hash),
});
