import type { Refusal, TrustLevel } from "@aqua/sdk/api/telemetry";
import type { Metric } from "@aqua/sdk/telemetry/metrics";
import type { ValidationIssue } from "@aqua/sdk/telemetry/quality";
import {
  bigint,
  bigserial,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { bytes, hex, millis } from "../db/columns.ts";

const chainId = () => bigint("chain_id", { mode: "number" }).notNull();
const sequence = (name: string) => bigint(name, { mode: "number" });
/** A figure as the device sends it, before its exponent: int64. */
const raw = (name: string) => bigint(name, { mode: "bigint" });

/**
 * A device as its operator enrolled it. Its keys are on chain (`device_key` of the indexer). Never deleted: readings
 * refer to it.
 */
export const device = pgTable(
  "device",
  {
    id: serial("id").primaryKey(),
    name: text("name").notNull().unique(),
    chainId: chainId(),
    shortId: text("short_id").notNull(),
    metric: text("metric").$type<Metric>().notNull(),
    exponent: smallint("exponent").notNull(),
    place: text("place").notNull(),
    latitude: doublePrecision("latitude").notNull(),
    longitude: doublePrecision("longitude").notNull(),
    model: text("model").notNull(),
    trust: text("trust").$type<TrustLevel>().notNull(),
    /** Name of its co-signer's key on chain. */
    coSigner: text("co_signer"),
    /** Limits as raw figures, in steps of the exponent. */
    min: raw("min").notNull(),
    max: raw("max").notNull(),
    maxStep: raw("max_step"),
    /**
     * Milliseconds between two readings, as enrolled, and the time within which a value may change by `maxStep` at
     * most.
     */
    interval: millis("interval").notNull(),
    /** SHA-256 of its password for MQTT. */
    secretHash: bytes("secret_hash").notNull(),
    createTime: millis("create_time").notNull(),
    retiredTime: millis("retired_time"),
  },
  (table) => [index("device_of_product").on(table.chainId, table.shortId)],
);

/**
 * Changes of a device's interval (milliseconds), each with the time from which it applies. Before the first, the
 * interval in `device` applies.
 */
export const deviceInterval = pgTable(
  "device_interval",
  { device: integer("device").notNull(), since: millis("since").notNull(), interval: millis("interval").notNull() },
  (table) => [primaryKey({ columns: [table.device, table.since] })],
);

/** The last accepted state of a device. A writer locks this row, so that numbers and hashes form one chain. */
export const deviceHead = pgTable("device_head", {
  device: integer("device").primaryKey(),
  /** 0 before the first reading. */
  seq: sequence("seq").notNull(),
  hash: bytes("hash").notNull(),
  time: millis("time").notNull(),
  accepted: millis("accepted").notNull(),
  /** Its last good reading; null before the first. `repeats`: how often that value has occurred in a row. */
  goodSeq: sequence("good_seq"),
  goodTime: millis("good_time"),
  goodValue: raw("good_value"),
  repeats: integer("repeats").notNull(),
  readings: sequence("readings").notNull(),
  /** Readings after this head were declared lost, so the next one need not name the last accepted one. */
  rejoins: boolean("rejoins").notNull().default(false),
});

/**
 * Every accepted reading. Partitioned by `time`, one partition a month (migration 0004); old months are dropped whole.
 */
export const reading = pgTable(
  "reading",
  {
    device: integer("device").notNull(),
    seq: sequence("seq").notNull(),
    time: millis("time").notNull(),
    accepted: millis("accepted").notNull(),
    value: raw("value").notNull(),
    prev: bytes("prev").notNull(),
    hash: bytes("hash").notNull(),
    signature: bytes("signature").notNull(),
    /** Signature of the device's co-signer, if it has one. */
    coSignature: bytes("co_signature"),
    flaw: text("flaw").$type<ValidationIssue>(),
  },
  (table) => [
    primaryKey({ columns: [table.device, table.seq, table.time] }),
    index("reading_at").on(table.device, table.time),
  ],
);

/**
 * Readings aggregated by hour or day, for charts, availability and quality. They remain when the readings are dropped.
 */
export const readingBucket = pgTable(
  "reading_bucket",
  {
    device: integer("device").notNull(),
    /** Milliseconds: 3 600 000 or 86 400 000. */
    span: integer("span").notNull(),
    /** A multiple of `span`. */
    start: millis("start").notNull(),
    count: integer("count").notNull(),
    bounds: integer("bounds").notNull(),
    jump: integer("jump").notNull(),
    frozen: integer("frozen").notNull(),
    backwards: integer("backwards").notNull(),
    /** Over good readings; null while there is none. */
    min: raw("min"),
    max: raw("max"),
    sum: numeric("sum", { precision: 40, scale: 0, mode: "bigint" }).notNull(),
    firstTime: millis("first_time"),
    firstValue: raw("first_value"),
    lastTime: millis("last_time"),
    lastValue: raw("last_value"),
  },
  (table) => [primaryKey({ columns: [table.device, table.span, table.start] })],
);

/** Refused readings for people to inspect. When there are too many, the rest is only counted (`refusal_count`). */
export const refusedReading = pgTable(
  "refused_reading",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    received: millis("received").notNull(),
    /** The name that the sender claimed; null when none was legible. */
    device: text("device"),
    reason: text("reason").$type<Refusal>().notNull(),
    message: text("message").notNull(),
    via: text("via").$type<"http" | "mqtt">().notNull(),
    payload: text("payload").notNull(),
  },
  (table) => [index("refused_of_device").on(table.device, table.id), index("refused_at").on(table.received)],
);

/**
 * Number of refused readings a day (UTC). `device` is "" for readings that no enrolled device is known to have sent.
 */
export const refusalCount = pgTable(
  "refusal_count",
  {
    day: date("day").notNull(),
    device: text("device").notNull(),
    reason: text("reason").$type<Refusal>().notNull(),
    count: bigint("count", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.device, table.reason] })],
);

/**
 * A batch as this server built it. It is anchored when its head is in `anchor` of the indexer. Times in Unix seconds,
 * as in the contract.
 */
export const telemetryBatch = pgTable(
  "telemetry_batch",
  {
    chainId: chainId(),
    stream: hex("stream").notNull(),
    number: integer("number").notNull(),
    shortId: text("short_id").notNull(),
    previousHead: hex("previous_head").notNull(),
    root: hex("root").notNull(),
    from: bigint("from", { mode: "number" }).notNull(),
    to: bigint("to", { mode: "number" }).notNull(),
    count: integer("count").notNull(),
    dataHash: hex("data_hash").notNull(),
    head: hex("head").notNull(),
    /** The batch file, gzip. Null if it was declared lost (`declared_loss`). */
    file: bytes("file"),
    createTime: millis("create_time").notNull(),
    /** Hash of the last transaction sent for it. */
    hash: hex("hash"),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.stream, table.number] })],
);

/** The readings of a device in a batch: a range of numbers, because a device's readings are accepted in their order. */
export const telemetryBatchPart = pgTable(
  "telemetry_batch_part",
  {
    chainId: chainId(),
    stream: hex("stream").notNull(),
    number: integer("number").notNull(),
    device: integer("device").notNull(),
    firstSeq: sequence("first_seq").notNull(),
    lastSeq: sequence("last_seq").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.stream, table.number, table.device] }),
    index("batch_part_of_device").on(table.device, table.lastSeq),
  ],
);

/**
 * Readings that an operator declared lost: those of a batch whose file is nowhere, or those of a device after its last
 * accepted one. Public, and never deleted.
 */
export const declaredLoss = pgTable(
  "declared_loss",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    chainId: chainId(),
    shortId: text("short_id").notNull(),
    /** Number of the batch. Null if the loss is of a device's readings that were in no batch. */
    batch: integer("batch"),
    /** Name of the device, and its last accepted reading. Null if the loss is a batch. */
    device: text("device"),
    afterSeq: sequence("after_seq"),
    reason: text("reason").notNull(),
    time: millis("time").notNull(),
  },
  (table) => [unique("declared_loss_batch").on(table.chainId, table.shortId, table.batch)],
);
