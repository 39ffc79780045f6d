import { z } from "zod";
import { DAY_MS } from "../durations.ts";
import { stepsOf } from "../telemetry/figure.ts";
import { metricNames } from "../telemetry/metrics.ts";
import { deviceStatuses, losses, validationIssues } from "../telemetry/quality.ts";
import { address, amount, asOf, lang, pageQuery, rate, shortId, time } from "./envelope.ts";
import { shownText } from "./text.ts";

/** The name of a device, unique within an instance. On chain it is these characters, padded with zeros to 32 bytes. */
export const deviceName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, "Invalid device name");
export const hash = z.string().regex(/^0x[0-9a-f]{64}$/, "Must be 0x and 64 hex digits in lower case");
const seq = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
/** An exact figure in the metric's unit. */
const figure = z.string().regex(/^-?\d+(\.\d+)?$/);

/** P-256: r ‖ s, 64 bytes. secp256k1: r ‖ s ‖ v, 65 bytes. In both, `s` is in the lower half. */
const signature = z.string().regex(/^0x([0-9a-f]{128}|[0-9a-f]{130})$/);

/** A reading as a device sends it. `Reading` in proofs/reading.ts describes the fields. */
export const signedReading = z.strictObject({
  device: deviceName,
  seq,
  time,
  metric: z.string().regex(/^[a-z0-9_]{1,31}$/),
  /** A decimal int64. */
  value: z.string().regex(/^(0|-?[1-9]\d{0,18})$/),
  exponent: z.number().int().min(-18).max(18),
  prev: hash,
  signature,
  /** For a device with a co-signer: the co-signer's name and its signature over the same encoding. */
  co_signature: z.strictObject({ by: deviceName, signature }).optional(),
});
export type SignedReading = z.infer<typeof signedReading>;

/** Each reading is validated separately, so that an invalid one does not cause the others to be rejected. */
export const telemetryBody = z.strictObject({ readings: z.array(z.unknown()).min(1).max(500) });

/**
 * Reasons for refusing a reading. A refused reading is not counted, and the device continues from its last accepted
 * one.
 */
export const refusals = [
  /** The reading does not match the schema. */
  "malformed",
  "unknown_device",
  /** The device was enrolled and has been taken out of service. */
  "retired",
  /** The metric or the exponent differs from the device's enrolment. */
  "metric",
  /** The device had no key at that time: it had none yet, or the key was revoked. */
  "no_key",
  "signature",
  /** Not checked, because other signatures of the same delivery were wrong. Send it again. */
  "unchecked",
  /** The co-signature is missing or wrong, or the reading names a co-signer but the device has none. */
  "co_signature",
  /** The number was used before with different content. */
  "replay",
  /** Earlier readings are missing. Send readings from `head` on. */
  "gap",
  /** `prev` is not the hash of the last accepted reading. */
  "chain",
  "future",
  /** The reading is not later than the device's last one. */
  "time_order",
] as const;
export type Refusal = (typeof refusals)[number];

/** The device's last accepted reading. Null before the first. */
const head = z.object({ seq: z.number().int(), hash }).nullable();

export const telemetryAnswer = z.object({
  /** Number of stored readings. They are durable when this response arrives. */
  accepted: z.number().int(),
  /** Number of readings that were already stored with identical content. */
  duplicates: z.number().int(),
  rejected: z.array(
    z.object({ index: z.number().int(), reason: z.enum(refusals), message: z.string(), head: head.optional() }),
  ),
  server_time: time,
});
export type TelemetryAnswer = z.infer<typeof telemetryAnswer>;

/**
 * The protection of a device's key, from lowest to highest. `declared` means that its operator types in readings that a
 * person read off; `co_signed` means that a second party signs too.
 */
export const trustLevel = z.enum(["declared", "software_key", "secure_element", "attested", "co_signed"]);
export type TrustLevel = z.infer<typeof trustLevel>;
export const keyKind = z.enum(["p256", "secp256k1"]);

/**
 * A device's key as registered on chain. For secp256k1, `x` is the padded address of the key and `y` is 0. Times in
 * Unix seconds.
 */
export const deviceKey = z.object({
  kind: keyKind,
  x: hash,
  y: hash,
  valid_from: z.number().int(),
  /** The last second of its validity. Null if no end is known. */
  valid_until: z.number().int().nullable(),
});
export type DeviceKey = z.infer<typeof deviceKey>;

/** Milliseconds between two readings. */
const interval = z
  .number()
  .int()
  .min(1_000)
  .max(7 * DAY_MS);

/** An operator's description of a device. The device's keys are registered on chain separately. */
export const deviceBody = z
  .strictObject({
    name: deviceName,
    /** At most 31 characters, because it names the stream of its readings on chain. */
    short_id: shortId.max(31),
    metric: z.enum(metricNames),
    exponent: z.number().int().min(-18).max(18),
    /** The device's location as text. */
    place: shownText.min(1).max(80),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    model: shownText.min(1).max(80),
    trust: trustLevel,
    /** Only for a `co_signed` device: the name under which its co-signer's key is registered on chain. */
    co_signer: deviceName.nullable().default(null),
    /**
     * The smallest and the largest plausible figure, and the largest step within this `interval`, in the metric's unit.
     * A later change of the interval does not alter the largest step.
     */
    min: figure,
    max: figure,
    max_step: figure.nullable().default(null),
    interval,
  })
  .superRefine(({ name, trust, co_signer, exponent, ...figures }, context) => {
    const wrong = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (trust === "co_signed" && co_signer === null) wrong("co_signer", "A co_signed device names its co-signer");
    if (trust !== "co_signed" && co_signer !== null) wrong("co_signer", "Only a co_signed device has a co-signer");
    if (co_signer === name) wrong("co_signer", "A device does not co-sign its own readings");
    const steps = (field: "min" | "max" | "max_step") => {
      const figure = figures[field];
      if (figure === null) return null;
      try {
        const value = stepsOf(figure, exponent);
        if (BigInt.asIntN(64, value) === value) return value;
        wrong(field, "Is out of range");
      } catch {
        wrong(field, `Must be a multiple of 10^${exponent}, as the device's readings are`);
      }
      return null;
    };
    const [min, max, maxStep] = [steps("min"), steps("max"), steps("max_step")];
    if (min !== null && max !== null && min > max) wrong("max", "Must not be below min");
    if (maxStep !== null && maxStep <= 0n) wrong("max_step", "Must be more than 0");
  });
export type DeviceBody = z.input<typeof deviceBody>;
/** A body that was checked, with all fields. */
export type CheckedDevice = z.output<typeof deviceBody>;
/**
 * POST operator/devices: enrols a device. With `secret_hash`, the SHA-256 of a password of 32 random bytes that the
 * operator has made, the same call again changes nothing.
 */
export const enrolBody = deviceBody.safeExtend({
  secret_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "Must be 64 hex digits in lower case")
    .optional(),
});
/** POST operator/devices/{name}/interval: sets the interval from `since` on (Unix milliseconds; default: now). */
export const intervalBody = z.strictObject({ interval, since: time.optional() });
/** `secret` is the device's password for MQTT. It is returned only once. Null if the operator has made it. */
export const enrolledDevice = z.object({ name: deviceName, secret: z.string().nullable() });

export const deviceStatus = z.enum(deviceStatuses);

export const device = z.object({
  name: deviceName,
  /**
   * True if the audit has an open finding about the device's rows. `last`, `readings`, `availability` and the score of
   * `quality` are then null.
   */
  withheld: z.boolean(),
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
  /** The second signer of its readings. Null unless its trust is `co_signed`. */
  co_signer: deviceName.nullable(),
  min: figure,
  max: figure,
  /** Current milliseconds between two readings. */
  interval: z.number().int(),
  /**
   * Past and current intervals, oldest first. Each applies from `since` (null: from enrolment) until the next one.
   * After many changes only the newest are listed.
   */
  intervals: z.array(z.object({ since: time.nullable(), interval: z.number().int() })),
  /** The current key. Null if there is none. */
  key: deviceKey.nullable(),
  /** `online`: seen within three intervals. `late`: seen within a day. */
  status: deviceStatus,
  /** The last valid reading. Null before the first. */
  last: z.object({ seq, time, value: figure }).nullable(),
  last_seen: time.nullable(),
  readings: z.number().int().nonnegative().nullable(),
  /** Fraction of expected readings that were received over the last 30 days. Null before the first day has passed. */
  availability: rate.nullable(),
  /**
   * Fraction of expected readings that were received and valid over the last 24 hours, and the reasons for the rest.
   */
  quality: z.object({
    score: rate.nullable(),
    reasons: z.array(z.object({ reason: z.enum(losses), share: rate })),
  }),
});
export type Device = z.infer<typeof device>;

export const resolution = z.enum(["raw", "hour", "day"]);
export const readingsQuery = z.object({
  device: deviceName.optional(),
  /** `from` is inclusive, `to` exclusive. Defaults: `to` is now, `from` is 30 days before `to`. */
  from: z.coerce.number().int().nonnegative().optional(),
  to: z.coerce.number().int().nonnegative().optional(),
  /** Default: the finest resolution that gives at most 800 points per device. For a file, the readings themselves. */
  resolution: resolution.optional(),
  format: z.enum(["json", "csv"]).default("json"),
  /** The language of the spreadsheet program that will read the CSV. */
  lang,
});

/**
 * GET product/{shortId}/readings. Points are ordered oldest first. A point without readings is omitted, so that charts
 * show a gap.
 */
export const readingSeries = z.object({
  short_id: shortId,
  from: time,
  to: time,
  resolution,
  /** Milliseconds that a point covers. For raw readings, the longest interval that the device had in this time. */
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
          /**
           * For a gauge, the mean. For a register, the amount counted in this time; null if the previous reading is
           * missing.
           */
          value: figure.nullable(),
          /**
           * The smallest and the largest figure; for a register, its meter readings. Null if no reading is valid. In
           * raw series, the reading's own figure.
           */
          min: figure.nullable(),
          max: figure.nullable(),
          count: z.number().int(),
          /** The number of valid readings among `count`. */
          good: z.number().int(),
        }),
      ),
    }),
  ),
});
export type ReadingSeries = z.infer<typeof readingSeries>;

/** A reading as it is stored. */
export const storedReading = z.object({
  device: deviceName,
  seq,
  time,
  /** The time at which it was accepted. */
  accepted: time,
  metric: z.enum(metricNames),
  unit: z.string(),
  value: figure,
  flaw: z.enum(validationIssues).nullable(),
  /** Number of its batch; null before it is in one. `anchored` is true once the batch is on chain. */
  batch: z.number().int().nullable(),
  anchored: z.boolean(),
});
export type StoredReading = z.infer<typeof storedReading>;
/** Readings in descending order, starting at the sequence number `before`. */
export const storedReadingsQuery = z.object({
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(20),
});

/** The fields of a batch that are both in its file and on chain. Times in Unix seconds. */
export const batchFigures = z.object({
  number: z.number().int().positive(),
  previous_head: hash,
  root: hash,
  from: z.number().int(),
  to: z.number().int(),
  count: z.number().int().positive(),
});

/** A batch as it is on chain. */
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
  /** True if the batch file is available here. */
  file: z.boolean(),
});
export type AnchoredBatch = z.infer<typeof anchoredBatch>;

/** Readings that an operator declared lost. */
export const declaredLoss = z.object({
  chain_id: z.number().int(),
  short_id: shortId,
  /** Number of a batch whose file is lost. Null if the loss is of a device's readings that were in no batch. */
  batch: z.number().int().nullable(),
  /** The device, and its last accepted reading before those that are lost. */
  device: deviceName.nullable(),
  after_seq: z.number().int().nullable(),
  reason: z.string(),
  time,
});
export type DeclaredLoss = z.infer<typeof declaredLoss>;

/**
 * GET transparency/losses: batches of the chain that this server lacks, as after the restore of an older backup, and
 * what was declared lost, newest first.
 */
export const lossList = z.object({
  missing: z.array(
    z.object({ chain_id: z.number().int(), short_id: shortId, from: z.number().int(), to: z.number().int() }),
  ),
  declared: z.array(declaredLoss),
});
export type LossList = z.infer<typeof lossList>;
export const anchorsQuery = pageQuery.extend({ short_id: shortId.optional() });

/**
 * All data needed to check a reading without trusting its source: GET transparency/proof/{device}/{seq}, and the file
 * that `aqua verify` reads. `later` contains the digests of the following batches up to a head that the contract
 * stores.
 */
export const readingProof = z.object({
  format: z.literal("aqua-reading-proof-1"),
  reading: signedReading,
  key: deviceKey,
  /** `leafOf` the reading's hash. `proof` starts from this leaf. */
  leaf: hash,
  batch: anchoredBatch.omit({ file: true }).extend({ later: z.array(hash) }),
  proof: z.array(hash),
});
export type ReadingProof = z.infer<typeof readingProof>;

/**
 * First line of a batch file (`application/x-ndjson`). Each further line is a SignedReading; they are ordered by device
 * and number.
 */
export const batchHeader = z.strictObject({
  format: z.literal("aqua-batch-1"),
  chain_id: z.number().int().positive(),
  contract: address,
  short_id: shortId,
  ...batchFigures.shape,
  /** The newest checkpoint of the operator's log when the batch was built. The root is in base64. */
  log: z
    .strictObject({
      origin: z.string().regex(/^[^\s+]+$/),
      size: z.number().int().nonnegative(),
      root: z.string().regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/),
    })
    .optional(),
});
export type BatchHeader = z.infer<typeof batchHeader>;

/** A register's reading and the batch that contains it. */
const registerReading = z.object({ seq, time, value: figure, batch: z.number().int().nullable() });

/**
 * The inputs from which income is recomputed: GET product/{shortId}/income/{hash} and …/income/next. Amounts in the
 * asset.
 */
const incomeInputs = z.object({
  /** The metric from the product's document. Null if it has none. */
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
   * The registers at both ends of the window, and what they counted in between. `counted` is null if it cannot be
   * known. A register whose first reading is after the window is left out. A register whose first reading is within the
   * window counts from that reading.
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
  /** The gain according to the metric. */
  expected: amount.nullable(),
});

/** Evidence of an income report: GET product/{shortId}/income/{hash of its transaction}. Amounts in the asset. */
export const incomeCheck = incomeInputs.extend({
  short_id: shortId,
  report: z.object({
    time,
    /** The window that the report covers: after `from`, up to and including `to`. */
    from: time,
    to: time,
    delta: amount,
    evidence_root: z.string(),
    hash: z.string(),
    block: z.number().int(),
  }),
  /** Total assets at the window's end, `to`. */
  assets: amount,
  /**
   * Reported less expected gain: income that the operator states beyond the readings, or the amount that is missing.
   */
  other: amount.nullable(),
  /**
   * The statement in the product's document about income of exactly `other` that no meter counted. Null without one.
   */
  other_reason: z.string().nullable(),
  /** The batch whose head the report names. Null if that is not one of our batches. */
  anchor: z.object({ number: z.number().int(), head: hash, block: z.number().int(), time }).nullable(),
  /**
   * Time of the oldest stored reading of the registers whose readings of the window have been deleted. Null if none
   * were deleted.
   */
  retained_since: time.nullable(),
  /**
   * `no_readings`: a reading at one end is missing. `not_kept`: the reading was deleted here and is only in its batch's
   * file.
   */
  verdict: z.enum(["equal", "more", "less", "loss", "no_metric", "no_anchor", "no_readings", "not_kept"]),
});
export type IncomeCheck = z.infer<typeof incomeCheck>;

/** GET product/{shortId}/income/next: the income that may be reported now, according to the anchored readings. */
export const incomeNext = incomeInputs.extend({
  short_id: shortId,
  /** The time up to which income is reported, and the time of the newest anchored reading; null if none is later. */
  from: time,
  to: time.nullable(),
  /** Total assets at `to`. */
  assets: amount.nullable(),
  /** The largest gain up to `to` that the contract accepts in its current state. */
  most: amount.nullable(),
  /** The newest batch on chain. A report names its head as evidence. */
  anchor: incomeCheck.shape.anchor,
  verdict: z.enum(["ready", "no_metric", "no_anchor", "no_readings", "not_kept"]),
});
export type IncomeNext = z.infer<typeof incomeNext>;

/**
 * GET product/{shortId}/income: the reports of a period, oldest first, each with the amount that the registers counted
 * for it.
 */
export const incomeSeries = z.object({
  short_id: shortId,
  /** The metric of the newest report in the list. Null if its document has none. */
  metric: incomeInputs.shape.metric,
  items: z.array(
    z.object({
      from: time,
      to: time,
      /** In the unit of `metric`. Also null if the report's own document names another register. */
      counted: figure.nullable(),
      /** Computed with the document at the time of the report. */
      proceeds: amount.nullable(),
      expected: amount.nullable(),
      delta: amount,
      /** As in `incomeCheck`. */
      other: amount.nullable(),
      other_reason: z.string().nullable(),
      hash: z.string(),
    }),
  ),
});
export type IncomeSeries = z.infer<typeof incomeSeries>;

/** A refused reading. Lists are newest first. `payload` is the received text, cut to 2 000 characters. */
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
  /** Counts by status, trust and kind of key. Counts of zero are omitted. */
  by_status: z.partialRecord(deviceStatus, z.number().int()),
  by_trust: z.partialRecord(trustLevel, z.number().int()),
  /** Names of the second signers of `co_signed` devices. */
  co_signers: z.array(deviceName),
  by_key: z.partialRecord(keyKind, z.number().int()),
  /** Devices seen in the last 24 hours, and readings accepted in that time. */
  reporting_24h: z.number().int(),
  accepted_24h: z.number().int(),
  readings: z.number().int(),
  refused_24h: z.array(z.object({ reason: z.enum(refusals), count: z.number().int() })),
  flawed_24h: z.array(z.object({ reason: z.enum(validationIssues), count: z.number().int() })),
  /**
   * One entry for each product with devices. `unanchored` counts readings that are in no batch yet. `stale` means that
   * the readings are older than they should be.
   */
  feeds: z.array(
    z.object({
      short_id: shortId,
      name: z.string(),
      devices: z.number().int(),
      /** Devices that still have to report. If there are none, nothing can be late. */
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
