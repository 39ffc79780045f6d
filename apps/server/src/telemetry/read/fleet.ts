import { type Device, type Fleet, refusals } from "@aqua/sdk/api/telemetry";
import { DAY_MS, HOUR_MS } from "@aqua/sdk/durations";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { validationIssues } from "@aqua/sdk/telemetry/quality";
import { and, count, eq, gte, inArray, max, ne, sum } from "drizzle-orm";
import { anyOf } from "../../db/anyOf.ts";
import type { Orm } from "../../db/database.ts";
import { anchor } from "../../indexer/schema.ts";
import { type IndexedChain, oldest, stampOf } from "../../indexer/stamp.ts";
import { readIntervals } from "../intervals.ts";
import { readKeys } from "../keys.ts";
import { attributedRow } from "../refused.ts";
import { device, readingBucket, refusalCount, refusedReading, telemetryBatch } from "../schema.ts";
import { type Enrolled, enrolledDevices, type Head } from "./deviceStore.ts";
import { heldKey, lastSeen, startOf, statusAt } from "./devices.ts";
import { groupedBy } from "./group.ts";

/** Readings that wait this long for a batch are late. */
const ANCHOR_WITHIN = 6 * HOUR_MS;

/**
 * Returns all devices of the chains served here at `now`, Unix milliseconds. `nameOf` returns the name of a product
 * by its short id.
 */
export async function fleetOf(
  tx: Orm,
  {
    chains,
    nameOf,
    now,
  }: { chains: readonly IndexedChain[]; nameOf: (shortId: string) => Promise<string>; now: number },
): Promise<Fleet> {
  const chainIds = chains.map(({ chainId }) => chainId);
  const known = await enrolledDevices(tx, inArray(device.chainId, chainIds));
  const enrolled = known.map((one) => one.device);
  const keys = await readKeys(tx, enrolled);
  const intervals = await readIntervals(tx, enrolled);
  const devices = known.map((one) => {
    const key = heldKey(keys, one.device, now);
    return { ...one, key, status: statusAt(one.device, one.head, { key, due: intervals.of(one.device), now }) };
  });
  const stamps = [];
  for (const chain of chains) {
    const stamp = await stampOf(tx, chain);
    if (stamp) stamps.push(stamp);
  }
  const feeds = [];
  for (const group of groupedBy(devices, ({ device: { chainId, shortId } }) => `${chainId}:${shortId}`).values()) {
    feeds.push(await feedOf(tx, { devices: group, nameOf, now }));
  }
  const { accepted, flawed } = await lastDay(
    tx,
    enrolled.map(({ id }) => id),
    now,
  );
  return {
    total: devices.length,
    by_status: tally(devices.map(({ status }) => status)),
    by_trust: tally(devices.map((one) => one.device.trust)),
    co_signers: [...new Set(devices.flatMap((one) => one.device.coSigner ?? []))].toSorted(),
    by_key: tally(devices.flatMap(({ key }) => key?.kind ?? [])),
    reporting_24h: devices.filter(({ head }) => now - (lastSeen(head) ?? 0) <= DAY_MS).length,
    accepted_24h: accepted,
    readings: devices.reduce((sum, { head }) => sum + (head?.readings ?? 0), 0),
    refused_24h: await refusedSince(tx, now),
    flawed_24h: flawed,
    feeds: feeds.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    as_of: stamps.length === 0 ? null : oldest(stamps),
  };
}

interface FleetDevice {
  device: Enrolled;
  head: Head | null;
  status: Device["status"];
}

async function feedOf(
  tx: Orm,
  {
    devices,
    nameOf,
    now,
  }: { devices: readonly FleetDevice[]; nameOf: (shortId: string) => Promise<string>; now: number },
): Promise<Fleet["feeds"][number]> {
  const [{ chainId, shortId }] = devices.map((one) => one.device) as [Enrolled, ...Enrolled[]];
  const stream = nameHex(shortId);
  const [anchors] = await tx
    .select({ last: max(anchor.time), batches: count() })
    .from(anchor)
    .where(and(eq(anchor.chainId, chainId), eq(anchor.stream, stream)));
  const [anchored] = await tx
    .select({ readings: sum(telemetryBatch.count), to: max(telemetryBatch.to) })
    .from(telemetryBatch)
    .innerJoin(anchor, and(eq(anchor.chainId, telemetryBatch.chainId), eq(anchor.head, telemetryBatch.head)))
    .where(and(eq(telemetryBatch.chainId, chainId), eq(telemetryBatch.stream, stream)));
  const lastSeenTimes = devices.flatMap(({ head }) => lastSeen(head) ?? []);
  const active = devices.filter(({ status }) => status !== "retired");
  const accepted = devices.reduce((sum, { head }) => sum + (head?.readings ?? 0), 0);
  const unanchored = Math.max(0, accepted - Number(anchored?.readings ?? 0));
  const anchoredUpTo = (anchored?.to ?? 0) * 1_000;
  return {
    short_id: shortId,
    name: await nameOf(shortId),
    devices: devices.length,
    in_service: active.length,
    last_reading: lastSeenTimes.length === 0 ? null : Math.max(...lastSeenTimes),
    readings_stale: active.length > 0 && !active.some(({ status }) => status === "online"),
    last_anchor: anchors?.last == null ? null : anchors.last * 1_000,
    batches: anchors?.batches ?? 0,
    unanchored,
    anchor_stale: unanchored > 0 && now - anchoredUpTo > ANCHOR_WITHIN,
  };
}

/** Returns the readings accepted in the last 24 hours, to the hour, and those among them that do not count. */
async function lastDay(tx: Orm, devices: readonly number[], now: number) {
  const [sums] = await tx
    .select({
      count: sum(readingBucket.count),
      bounds: sum(readingBucket.bounds),
      jump: sum(readingBucket.jump),
      frozen: sum(readingBucket.frozen),
      backwards: sum(readingBucket.backwards),
    })
    .from(readingBucket)
    .where(
      and(
        anyOf(readingBucket.device, devices),
        eq(readingBucket.span, HOUR_MS),
        gte(readingBucket.start, startOf(now - DAY_MS, HOUR_MS)),
      ),
    );
  const counts = validationIssues.map((reason) => ({ reason, count: Number(sums?.[reason] ?? 0) }));
  return { accepted: Number(sums?.count ?? 0), flawed: counts.filter(({ count }) => count > 0) };
}

/**
 * Returns the rejected readings of devices in the last 24 hours, as far as they are stored. A flood that is only
 * counted is included since midnight.
 */
async function refusedSince(tx: Orm, now: number): Promise<Fleet["refused_24h"]> {
  const storedCounts = await tx
    .select({ reason: refusedReading.reason, count: count() })
    .from(refusedReading)
    .where(and(gte(refusedReading.received, now - DAY_MS), attributedRow))
    .groupBy(refusedReading.reason);
  const counted = await tx
    .select({ reason: refusalCount.reason, count: sum(refusalCount.count) })
    .from(refusalCount)
    .where(and(gte(refusalCount.day, new Date(now).toISOString().slice(0, 10)), ne(refusalCount.device, "")))
    .groupBy(refusalCount.reason);
  return refusals.flatMap((reason) => {
    const of = (rows: readonly { reason: string; count: unknown }[]) =>
      Number(rows.find((row) => row.reason === reason)?.count ?? 0);
    const most = Math.max(of(storedCounts), of(counted));
    return most === 0 ? [] : [{ reason, count: most }];
  });
}

function tally<Key extends string>(keys: readonly Key[]): Partial<Record<Key, number>> {
  const counts: Partial<Record<Key, number>> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
