import { type HexText, toHex } from "@aqua/sdk/proofs/reading";
import type { ValidationIssue } from "@aqua/sdk/telemetry/quality";
import { asc, eq, sql } from "drizzle-orm";
import { anyOf } from "../db/anyOf.ts";
import type { Orm } from "../db/database.ts";
import { listOf } from "../db/statement.ts";
import type { Bucket } from "./buckets.ts";
import type { Head } from "./checks.ts";
import type { FormedReading } from "./form.ts";
import { device, deviceHead, reading } from "./schema.ts";

const byteList = (values: readonly (HexText | null)[]) =>
  listOf(values.map((value) => value && `"\\\\x${value.slice(2)}"`));

/** Returns the heads of devices by their ids, and whether each device is retired. Locks the heads until the commit. */
export async function lockHeads(tx: Orm, ids: readonly number[]): Promise<Map<number, Head & { retired: boolean }>> {
  if (ids.length === 0) return new Map();
  // One order for all writers, so that two of them never deadlock.
  const rows = await tx
    .select({ head: deviceHead, retiredTime: device.retiredTime })
    .from(deviceHead)
    .innerJoin(device, eq(device.id, deviceHead.device))
    .where(anyOf(deviceHead.device, ids))
    .orderBy(asc(deviceHead.device))
    .for("update", { of: deviceHead });
  return new Map(
    rows.map(({ head, retiredTime }) => {
      const { goodSeq, goodTime, goodValue } = head;
      const good =
        goodSeq === null || goodTime === null || goodValue === null
          ? null
          : { seq: goodSeq, time: goodTime, value: goodValue };
      const { seq, time, repeats, readings, rejoins } = head;
      return [
        head.device,
        { seq, time, repeats, readings, rejoins, good, hash: toHex(head.hash), retired: retiredTime !== null },
      ];
    }),
  );
}

/** Inserts the head of a device that has no reading yet. */
export async function createHead(tx: Orm, id: number): Promise<void> {
  const hash = new Uint8Array(32);
  await tx
    .insert(deviceHead)
    .values({ device: id, seq: 0, hash, time: 0, accepted: 0, repeats: 0, readings: 0 })
    .onConflictDoNothing();
}

/** @param accepted Unix milliseconds of the last acceptance */
export async function moveHeads(
  tx: Orm,
  moved: readonly { device: number; head: Head; accepted: number }[],
): Promise<void> {
  if (moved.length === 0) return;
  const all = moved.map(({ head }) => head);
  await tx.execute(sql`
    update device_head as h set
      seq = n.seq, hash = n.hash, time = n.time, accepted = n.accepted, good_seq = n.good_seq, good_time = n.good_time,
      good_value = n.good_value, repeats = n.repeats, readings = n.readings, rejoins = n.rejoins
    from unnest(
      ${listOf(moved.map(({ device }) => device))}::integer[], ${listOf(all.map(({ seq }) => seq))}::bigint[],
      ${byteList(all.map(({ hash }) => hash))}::bytea[], ${listOf(all.map(({ time }) => time))}::bigint[],
      ${listOf(all.map(({ good }) => good?.seq ?? null))}::bigint[], ${listOf(all.map(({ good }) => good?.time ?? null))}::bigint[],
      ${listOf(all.map(({ good }) => good?.value ?? null))}::bigint[], ${listOf(all.map(({ repeats }) => repeats))}::integer[],
      ${listOf(all.map(({ readings }) => readings))}::bigint[], ${listOf(moved.map(({ accepted }) => accepted))}::bigint[],
      ${listOf(all.map(({ rejoins }) => String(rejoins)))}::boolean[]
    ) as n(device, seq, hash, time, good_seq, good_time, good_value, repeats, readings, accepted, rejoins)
    where h.device = n.device`);
}

/** Returns the stored hashes of these readings, by device and number. */
export async function hashesOf(
  tx: Orm,
  asked: readonly { device: number; seq: number }[],
): Promise<Map<number, Map<number, HexText>>> {
  const found = new Map<number, Map<number, HexText>>();
  if (asked.length === 0) return found;
  const rows = await tx
    .select({ device: reading.device, seq: reading.seq, hash: reading.hash })
    .from(reading)
    .innerJoin(
      sql`unnest(${listOf(asked.map(({ device }) => device))}::integer[], ${listOf(asked.map(({ seq }) => seq))}::bigint[])
        as asked(device, seq)`,
      sql`asked.device = ${reading.device} and asked.seq = ${reading.seq}`,
    );
  for (const { device, seq, hash } of rows) {
    const ofDevice = found.get(device) ?? new Map<number, HexText>();
    found.set(device, ofDevice.set(seq, toHex(hash)));
  }
  return found;
}

export interface NewReading {
  device: number;
  seq: number;
  time: number;
  accepted: number;
  value: bigint;
  prev: HexText;
  hash: HexText;
  signature: HexText;
  coSignature: HexText | null;
  flaw: ValidationIssue | null;
}

/** @param accepted Unix milliseconds */
export function newReading({
  device,
  from,
  accepted,
  flaw,
}: {
  device: number;
  from: FormedReading;
  accepted: number;
  flaw: ValidationIssue | null;
}): NewReading {
  const { seq, time, value, prev, hash, signature, co_signature: co } = from;
  const coSignature = (co?.signature ?? null) as HexText | null;
  return { device, seq, time, accepted, value, prev, hash, signature, coSignature, flaw };
}

export async function insertReadings(tx: Orm, rows: readonly NewReading[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into reading (device, seq, time, accepted, value, prev, hash, signature, co_signature, flaw)
    select * from unnest(
      ${listOf(rows.map(({ device }) => device))}::integer[], ${listOf(rows.map(({ seq }) => seq))}::bigint[],
      ${listOf(rows.map(({ time }) => time))}::bigint[], ${listOf(rows.map(({ accepted }) => accepted))}::bigint[],
      ${listOf(rows.map(({ value }) => value))}::bigint[], ${byteList(rows.map(({ prev }) => prev))}::bytea[],
      ${byteList(rows.map(({ hash }) => hash))}::bytea[], ${byteList(rows.map(({ signature }) => signature))}::bytea[],
      ${byteList(rows.map(({ coSignature }) => coSignature))}::bytea[],
      ${listOf(rows.map(({ flaw }) => flaw))}::text[])`);
}

/** Adds to existing buckets and inserts missing ones. Pass the buckets of a device in the order of time. */
export async function addToBuckets(tx: Orm, buckets: readonly Bucket[]): Promise<void> {
  if (buckets.length === 0) return;
  const of = (name: keyof Bucket) => listOf(buckets.map((bucket) => bucket[name]));
  await tx.execute(sql`
    insert into reading_bucket as b (device, span, start, count, bounds, jump, frozen, backwards, min, max, sum,
      first_time, first_value, last_time, last_value)
    select * from unnest(
      ${of("device")}::integer[], ${of("span")}::integer[], ${of("start")}::bigint[], ${of("count")}::integer[],
      ${of("bounds")}::integer[], ${of("jump")}::integer[], ${of("frozen")}::integer[], ${of("backwards")}::integer[],
      ${of("min")}::bigint[], ${of("max")}::bigint[], ${of("sum")}::numeric[], ${of("firstTime")}::bigint[],
      ${of("firstValue")}::bigint[], ${of("lastTime")}::bigint[], ${of("lastValue")}::bigint[])
    on conflict (device, span, start) do update set
      count = b.count + excluded.count, bounds = b.bounds + excluded.bounds, jump = b.jump + excluded.jump,
      frozen = b.frozen + excluded.frozen, backwards = b.backwards + excluded.backwards,
      min = least(b.min, excluded.min), max = greatest(b.max, excluded.max), sum = b.sum + excluded.sum,
      first_time = coalesce(b.first_time, excluded.first_time), first_value = coalesce(b.first_value, excluded.first_value),
      last_time = coalesce(excluded.last_time, b.last_time), last_value = coalesce(excluded.last_value, b.last_value)`);
}
