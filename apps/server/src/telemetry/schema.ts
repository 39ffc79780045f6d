import type { Refusal, TrustLevel } from "@aqua/sdk/api/telemetry";
import type { Metric } from "@aqua/sdk/telemetry/metrics";
import type { ValidationIssue } from "@aqua/sdk/telemetry/quality";
import {
  bigint,
  bigserial,
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
} from "drizzle-orm/pg-core";
import { bytes, hex, millis } from "../db/columns.ts";

const chainId = () => bigint("chain_id", { mode: "number" }).notNull();
const sequence = (name: string) => bigint(name, { mode: "number" });
/** A figure as the device sends it, before its exponent: int64. */
const raw = (name: string) => bigint(name, { mode: "bigint" });

/** What an operator says of a device. Its keys are on chain (`device_key` of the indexer). Never deleted: readings refer to it. */
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
    /** In steps of the exponent. */
    min: raw("min").notNull(),
    max: raw("max").notNull(),
    maxStep: raw("max_step"),
    /** Milliseconds between two readings at its enrolment, and the time in which `maxStep` is the most. */
    interval: millis("interval").notNull(),
    /** SHA-256 of its password for MQTT. */
    secretHash: bytes("secret_hash").notNull(),
    createTime: millis("create_time").notNull(),
    retiredTime: millis("retired_time"),
  },
  (table) => [index("device_of_product").on(table.chainId, table.shortId)],
);

/** What a device's interval was changed to (milliseconds), and from when on it holds; before the first that of `device` holds. */
export const deviceInterval = pgTable(
  "device_interval",
  { device: integer("device").notNull(), since: millis("since").notNull(), interval: millis("interval").notNull() },
  (table) => [primaryKey({ columns: [table.device, table.since] })],
);

/** How far a device has come: the row a writer locks, so that numbers and hashes stay in one chain. */
export const deviceHead = pgTable("device_head", {
  device: integer("device").primaryKey(),
  /** 0 before the first reading. */
  seq: sequence("seq").notNull(),
  hash: bytes("hash").notNull(),
  time: millis("time").notNull(),
  accepted: millis("accepted").notNull(),
  /** Its last reading that counts; null before the first. `repeats`: how often that figure has come in a row. */
  goodSeq: sequence("good_seq"),
  goodTime: millis("good_time"),
  goodValue: raw("good_value"),
  repeats: integer("repeats").notNull(),
  readings: sequence("readings").notNull(),
});

/** Every accepted reading. Partitioned by `time`, a month each (migration 0004); whole months are dropped when they are old. */
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
    /** Of the device's co-signer, where it has one. */
    coSignature: bytes("co_signature"),
    flaw: text("flaw").$type<ValidationIssue>(),
  },
  (table) => [
    primaryKey({ columns: [table.device, table.seq, table.time] }),
    index("reading_at").on(table.device, table.time),
  ],
);

/** Readings of an hour or a day together, for charts, availability and quality; kept when the readings are gone. */
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
    /** Of the readings that count; null while there is none. */
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

/** What was refused, for people to look at; a flood is only counted (`refusal_count`). */
export const refusedReading = pgTable(
  "refused_reading",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    received: millis("received").notNull(),
    /** As it was claimed; null when nothing legible was. */
    device: text("device"),
    reason: text("reason").$type<Refusal>().notNull(),
    message: text("message").notNull(),
    via: text("via").$type<"http" | "mqtt">().notNull(),
    payload: text("payload").notNull(),
  },
  (table) => [index("refused_of_device").on(table.device, table.id), index("refused_at").on(table.received)],
);

/** How many were refused a day (UTC); `device` is "" for what no enrolled device is known to have sent. */
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
 * A batch as it was built here; whether it is anchored, the chain says (`anchor` of the indexer), by its head. Times in
 * Unix seconds, as the contract has them.
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
    /** The batch file, gzip. */
    file: bytes("file").notNull(),
    createTime: millis("create_time").notNull(),
    /** The transaction sent last for it. */
    hash: hex("hash"),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.stream, table.number] })],
);

/** Which readings of a device a batch holds: a run of numbers, since a device's readings are accepted in their order. */
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
