import { z } from "zod";
import { metricNames } from "../telemetry/metrics.ts";
import { deviceStatuses, losses, validationIssues } from "../telemetry/quality.ts";
import { address, amount, asOf, pageQuery, rate, shortId, time } from "./envelope.ts";
import { shownText } from "./text.ts";

/** Of a device, unique on an instance; on chain it is these characters, padded with zeros to 32 bytes. */
export const deviceName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, "Invalid device name");
const hash = z.string().regex(/^0x[0-9a-f]{64}$/, "Must be 0x and 64 hex digits in lower case");
const seq = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
/** A figure in the metric's unit, exact. */
const figure = z.string().regex(/^-?\d+(\.\d+)?$/);

/** P-256: r ‖ s, 64 bytes; secp256k1: r ‖ s ‖ v, 65 bytes. Both with `s` in the lower half. */
const signature = z.string().regex(/^0x([0-9a-f]{128}|[0-9a-f]{130})$/);

/** As a device sends it; `Reading` of proofs/reading.ts says what each field means. */
export const signedReading = z.strictObject({
  device: deviceName,
  seq,
  time,
  metric: z.string().regex(/^[a-z0-9_]{1,31}$/),
  /** int64, decimal. */
  value: z.string().regex(/^(0|-?[1-9]\d{0,18})$/),
  exponent: z.number().int().min(-18).max(18),
  prev: hash,
  signature,
  /** Of a device with a co-signer: who that is, and its signature over the same encoding. */
  co_signature: z.strictObject({ by: deviceName, signature }).optional(),
});
export type SignedReading = z.infer<typeof signedReading>;

/** Each reading is checked by itself, so that a bad one takes no other with it. */
export const telemetryBody = z.strictObject({ readings: z.array(z.unknown()).min(1).max(500) });

/** Why a reading is refused: nothing of it counts, and the device goes on from its last accepted one. */
export const refusals = [
  /** Not the shape of a reading. */
  "malformed",
  "unknown_device",
  /** Enrolled once, taken out of service. */
  "retired",
  /** Another metric or exponent than the device was enrolled with. */
  "metric",
  /** The device had no key at that time: none yet, or revoked. */
  "no_key",
  "signature",
  /** Not looked at, since other signatures of its delivery were wrong: send it again. */
  "unchecked",
  /** The device's co-signer has not signed it as well; or it names one, and the device has none. */
  "co_signature",
  /** The number was used before, with other content. */
  "replay",
  /** Readings before it are missing here: send from `head` on. */
  "gap",
  /** `prev` is not the hash of the last accepted one. */
  "chain",
  "future",
  /** Not later than the device's last reading. */
  "time_order",
] as const;
export type Refusal = (typeof refusals)[number];

/** What has been accepted of a device last; null before the first. */
const head = z.object({ seq: z.number().int(), hash }).nullable();

export const telemetryAnswer = z.object({
  /** Stored for good when this arrives. */
  accepted: z.number().int(),
  /** Known before, the same to the last bit: no harm done. */
  duplicates: z.number().int(),
  rejected: z.array(
    z.object({ index: z.number().int(), reason: z.enum(refusals), message: z.string(), head: head.optional() }),
  ),
  server_time: time,
});
export type TelemetryAnswer = z.infer<typeof telemetryAnswer>;

/** How well a device's key is kept: declared by its operator, who types what a person read off, up to a second signer. */
export const trustLevel = z.enum(["declared", "software_key", "secure_element", "attested", "co_signed"]);
export type TrustLevel = z.infer<typeof trustLevel>;
export const keyKind = z.enum(["p256", "secp256k1"]);

/** A device's key as the chain has it. secp256k1: `x` is the address of the key, padded, and `y` is 0. Times in Unix seconds. */
export const deviceKey = z.object({
  kind: keyKind,
  x: hash,
  y: hash,
  valid_from: z.number().int(),
  /** Last second in which it holds; null when no end is known. */
  valid_until: z.number().int().nullable(),
});
export type DeviceKey = z.infer<typeof deviceKey>;

/** Milliseconds between two readings. */
const interval = z
  .number()
  .int()
  .min(1_000)
  .max(7 * 86_400_000);

/** What an operator says of a device. Its keys are registered on chain beside this. */
export const deviceBody = z
  .strictObject({
    name: deviceName,
    /** Of at most 31 characters: it names the stream of its readings on chain. */
    short_id: shortId.max(31),
    metric: z.enum(metricNames),
    exponent: z.number().int().min(-18).max(18),
    /** Its location, in words. */
    place: shownText.min(1).max(80),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    model: shownText.min(1).max(80),
    trust: trustLevel,
    /** Of a `co_signed` device, and of no other: under which name the key of its co-signer is registered on chain. */
    co_signer: deviceName.nullable().default(null),
    /**
     * Smallest and largest believable figure, and the largest step in the interval named here, whichever holds later; in the
     * metric's unit.
     */
    min: figure,
    max: figure,
    max_step: figure.nullable().default(null),
    interval,
  })
  .superRefine(({ name, trust, co_signer }, context) => {
    const wrong = (message: string) => context.addIssue({ code: "custom", path: ["co_signer"], message });
    if (trust === "co_signed" && co_signer === null) wrong("A co_signed device names its co-signer");
    if (trust !== "co_signed" && co_signer !== null) wrong("Only a co_signed device has a co-signer");
    if (co_signer === name) wrong("A device does not co-sign its own readings");
  });
export type DeviceBody = z.input<typeof deviceBody>;
/** POST operator/devices/{name}/interval: how often it is to report `since` then (Unix milliseconds); left out: from now on. */
export const intervalBody = z.strictObject({ interval, since: time.optional() });
/** `secret`: the device's password for MQTT, returned once. */
export const enrolledDevice = z.object({ name: deviceName, secret: z.string() });

export const deviceStatus = z.enum(deviceStatuses);

export const device = z.object({
  name: deviceName,
  short_id: shortId,
  chain_id: z.number().int(),
  metric: z.enum(metricNames),
  kind: z.enum(["register", "gauge"]),
  unit: z.string(),
  place: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  model: z.string(),
  trust: trustLevel,
  /** Who signs its readings besides; null unless its trust is `co_signed`. */
  co_signer: deviceName.nullable(),
  min: figure,
  max: figure,
  /** Milliseconds between two readings, as it holds now. */
  interval: z.number().int(),
  /**
   * What it was before and is now, the oldest first, each from `since` until the next one (null: from its enrolment); of
   * one that changed often the newest only.
   */
  intervals: z.array(z.object({ since: time.nullable(), interval: z.number().int() })),
  /** Holding now; null when there is none. */
  key: deviceKey.nullable(),
  /** online: seen within three intervals; late: within a day. */
  status: deviceStatus,
  /** Its last reading that counts; null before the first. */
  last: z.object({ seq, time, value: figure }).nullable(),
  last_seen: time.nullable(),
  readings: z.number().int().nonnegative(),
  /** Share of expected readings that came, over the last 30 days; null before the first day. */
  availability: rate.nullable(),
  /** Share of the expected that came and passed every check, over the last 24 hours, and what took the rest. */
  quality: z.object({
    score: rate.nullable(),
    reasons: z.array(z.object({ reason: z.enum(losses), share: rate })),
  }),
});
export type Device = z.infer<typeof device>;

export const resolution = z.enum(["raw", "hour", "day"]);
export const readingsQuery = z.object({
  device: deviceName.optional(),
  /** From included, to excluded; left out: now, and 30 days before `to`. */
  from: z.coerce.number().int().nonnegative().optional(),
  to: z.coerce.number().int().nonnegative().optional(),
  /** Left out: the finest that gives at most 800 points a device; for a file, the readings themselves. */
  resolution: resolution.optional(),
  format: z.enum(["json", "csv"]).default("json"),
});

/** GET product/{shortId}/readings. Points oldest first; one without readings is left out, so that a gap shows as a gap. */
export const readingSeries = z.object({
  short_id: shortId,
  from: time,
  to: time,
  resolution,
  /** Milliseconds a point covers; of raw readings the longest of the intervals the device had in this time. */
  devices: z.array(
    z.object({
      name: deviceName,
      metric: z.enum(metricNames),
      kind: z.enum(["register", "gauge"]),
      unit: z.string(),
      step: z.number().int(),
      points: z.array(
        z.object({
          time,
          /** Gauge: the mean; register: what was counted in this time, null where the reading before is missing. */
          value: figure.nullable(),
          /** Smallest and largest shown, of a register as its dial shows it; null where none counts. Raw: the reading's own. */
          min: figure.nullable(),
          max: figure.nullable(),
          count: z.number().int(),
          /** Of `count`, those that counted. */
          good: z.number().int(),
        }),
      ),
    }),
  ),
});
export type ReadingSeries = z.infer<typeof readingSeries>;

/** A reading as it is kept. */
export const storedReading = z.object({
  device: deviceName,
  seq,
  time,
  /** When it was accepted. */
  accepted: time,
  metric: z.enum(metricNames),
  unit: z.string(),
  value: figure,
  flaw: z.enum(validationIssues).nullable(),
  /** Number of its batch; null while it waits for one. `anchored`: the chain holds that batch. */
  batch: z.number().int().nullable(),
  anchored: z.boolean(),
});
export type StoredReading = z.infer<typeof storedReading>;
/** Newest first, from `before` (a sequence number) down. */
export const storedReadingsQuery = z.object({
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(20),
});

/** What a batch's file and the chain both say of it; times in Unix seconds. */
const batchFigures = z.object({
  number: z.number().int().positive(),
  previous_head: hash,
  root: hash,
  from: z.number().int(),
  to: z.number().int(),
  count: z.number().int().positive(),
});

/** A batch as the chain has it. */
export const anchoredBatch = z.object({
  chain_id: z.number().int(),
  contract: address,
  short_id: shortId,
  /** The product's short id, padded to 32 bytes. */
  stream: hash,
  ...batchFigures.shape,
  /** keccak-256 of the batch file. */
  data_hash: hash,
  head: hash,
  block: z.number().int(),
  block_time: time,
  hash,
  /** Whether its file can be had here. */
  file: z.boolean(),
});
export type AnchoredBatch = z.infer<typeof anchoredBatch>;
export const anchorsQuery = pageQuery.extend({ short_id: shortId.optional() });

/**
 * All it takes to check a reading without trusting who gave it: GET transparency/proof/{device}/{seq}, and the file
 * `aqua verify` reads. `later`: digests of the batches after this one, up to a head the contract keeps.
 */
export const readingProof = z.object({
  format: z.literal("aqua-reading-proof-1"),
  reading: signedReading,
  key: deviceKey,
  /** `leafOf` the reading's hash: what `proof` leads from. */
  leaf: hash,
  batch: anchoredBatch.omit({ file: true }).extend({ later: z.array(hash) }),
  proof: z.array(hash),
});
export type ReadingProof = z.infer<typeof readingProof>;

/** First line of a batch file (`application/x-ndjson`); each further line is a SignedReading, by device and number. */
export const batchHeader = z.strictObject({
  format: z.literal("aqua-batch-1"),
  chain_id: z.number().int().positive(),
  contract: address,
  short_id: shortId,
  ...batchFigures.shape,
});
export type BatchHeader = z.infer<typeof batchHeader>;

/** A register's reading, and the batch it is in. */
const registerReading = z.object({ seq, time, value: figure, batch: z.number().int().nullable() });

/** What income is recomputed from: GET product/{shortId}/income/{hash} and …/income/next. Amounts in the asset. */
const incomeInputs = z.object({
  /** From the product's document; null when it names none. */
  metric: z
    .object({
      id: z.string(),
      version: z.number().int(),
      register: z.enum(metricNames),
      unit: z.string(),
      price: amount,
      share: rate,
      financed: amount,
    })
    .nullable(),
  /**
   * The registers at both ends of the window, and what they counted between; `counted` is null where that cannot be known.
   * One that had not begun by the window's end is left out; one that began within it counts from its first reading.
   */
  devices: z.array(
    z.object({
      name: deviceName,
      first: registerReading.nullable(),
      last: registerReading.nullable(),
      counted: figure.nullable(),
    }),
  ),
  counted: figure.nullable(),
  proceeds: amount.nullable(),
  /** What the metric says the gain is. */
  expected: amount.nullable(),
});

/** What a report of income rests on: GET product/{shortId}/income/{hash of its transaction}. Amounts in the asset. */
export const incomeCheck = incomeInputs.extend({
  short_id: shortId,
  report: z.object({
    time,
    /** What it accounts for: after `from`, up to `to`. */
    from: time,
    to: time,
    delta: amount,
    evidence_root: z.string(),
    hash: z.string(),
    block: z.number().int(),
  }),
  /** Total assets at the window's end, `to`. */
  assets: amount,
  /** Reported less expected: income the operator states beside the readings, or what is missing. */
  other: amount.nullable(),
  /** The batch whose head the report names; null when it names none of ours. */
  anchor: z.object({ number: z.number().int(), head: hash, block: z.number().int(), time }).nullable(),
  /** The oldest reading that is kept of the registers whose readings of that time are not any more; null where none were dropped. */
  retained_since: time.nullable(),
  /** `no_readings`: one at an end is missing; `not_kept`: it was here, and is now in its batch's file only. */
  verdict: z.enum(["equal", "more", "less", "loss", "no_metric", "no_anchor", "no_readings", "not_kept"]),
});
export type IncomeCheck = z.infer<typeof incomeCheck>;

/** GET product/{shortId}/income/next: what may be reported now, from what is anchored. */
export const incomeNext = incomeInputs.extend({
  short_id: shortId,
  /** The moment income is reported up to, and the newest anchored reading; null while none is later. */
  from: time,
  to: time.nullable(),
  /** Total assets at `to`. */
  assets: amount.nullable(),
  /** The most the contract takes as a gain up to `to`, by its state now. */
  most: amount.nullable(),
  /** The newest batch on chain: its head is the evidence to name. */
  anchor: incomeCheck.shape.anchor,
  verdict: z.enum(["ready", "no_metric", "no_anchor", "no_readings", "not_kept"]),
});
export type IncomeNext = z.infer<typeof incomeNext>;

/** GET product/{shortId}/income: the reports of a time, oldest first, beside what the registers counted for each. */
export const incomeSeries = z.object({
  short_id: shortId,
  /** As of the newest; null when the product's document names none. */
  metric: incomeInputs.shape.metric,
  items: z.array(
    z.object({
      from: time,
      to: time,
      counted: figure.nullable(),
      proceeds: amount.nullable(),
      expected: amount.nullable(),
      delta: amount,
      hash: z.string(),
    }),
  ),
});
export type IncomeSeries = z.infer<typeof incomeSeries>;

/** A refused reading, newest first. `payload`: what came, cut to 2 000 characters. */
export const refusedReading = z.object({
  id: z.number().int(),
  received: time,
  device: z.string().nullable(),
  short_id: shortId.nullable(),
  reason: z.enum(refusals),
  message: z.string(),
  via: z.enum(["http", "mqtt"]),
});
export type RefusedReading = z.infer<typeof refusedReading>;
export const refusedQuery = pageQuery.extend({ device: deviceName.optional(), reason: z.enum(refusals).optional() });

/** GET transparency/devices. */
export const fleet = z.object({
  total: z.number().int(),
  /** By status, trust and kind of key: only what there is. */
  by_status: z.partialRecord(deviceStatus, z.number().int()),
  by_trust: z.partialRecord(trustLevel, z.number().int()),
  /** Who signs readings of `co_signed` devices besides, by name. */
  co_signers: z.array(deviceName),
  by_key: z.partialRecord(keyKind, z.number().int()),
  /** Devices seen, and readings accepted, in the last 24 hours. */
  reporting_24h: z.number().int(),
  accepted_24h: z.number().int(),
  readings: z.number().int(),
  refused_24h: z.array(z.object({ reason: z.enum(refusals), count: z.number().int() })),
  flawed_24h: z.array(z.object({ reason: z.enum(validationIssues), count: z.number().int() })),
  /** A line a product with devices. `unanchored`: readings that wait for their batch; `stale`: older than they should be. */
  feeds: z.array(
    z.object({
      short_id: shortId,
      name: z.string(),
      devices: z.number().int(),
      /** Of them those that are still to report; of none nothing is late. */
      in_service: z.number().int(),
      last_reading: time.nullable(),
      readings_stale: z.boolean(),
      last_anchor: time.nullable(),
      batches: z.number().int(),
      unanchored: z.number().int(),
      anchor_stale: z.boolean(),
    }),
  ),
  as_of: asOf.nullable(),
});
export type Fleet = z.infer<typeof fleet>;
