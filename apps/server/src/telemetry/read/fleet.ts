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
import { deviceSlices, type Enrolled, type Head } from "./deviceStore.ts";
import { heldKey, lastSeen, startOf, statusAt } from "./devices.ts";

/** Readings that wait this long for a batch are late. */
const ANCHOR_WITHIN = 6 * HOUR_MS;

/** What the devices of a product add up to. */
interface Feed {
  chainId: number;
  shortId: string;
  devices: number;
  inService: number;
  online: boolean;
  lastReading: number | null;
  readings: number;
}

/**
 * Returns all devices of the chains served here at `now`, Unix milliseconds. `nameOf` returns the name of a product
 * by its short id. Devices are read in slices, so that a large fleet neither fills the memory nor holds the server up.
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
  const feeds = new Map<string, Feed>();
  const coSigners = new Set<string>();
  const byStatus: Fleet["by_status"] = {};
  const byTrust: Fleet["by_trust"] = {};
  const byKey: Fleet["by_key"] = {};
  const flawed = new Map(validationIssues.map((reason) => [reason, 0]));
  let total = 0;
  let reporting = 0;
  let accepted = 0;
  for await (const slice of deviceSlices(tx, inArray(device.chainId, chainIds))) {
    const enrolled = slice.map((one) => one.device);
    const keys = await readKeys(tx, enrolled);
    const intervals = await readIntervals(tx, enrolled);
    for (const { device, head } of slice) {
      const key = heldKey(keys, device, now);
      const status = statusAt(device, head, { key, due: intervals.of(device), now });
      add(byStatus, status);
      add(byTrust, device.trust);
      if (key !== null) add(byKey, key.kind);
      if (device.coSigner !== null) coSigners.add(device.coSigner);
      if (now - (lastSeen(head) ?? 0) <= DAY_MS) reporting++;
      addToFeed(feeds, { device, head, status });
    }
    total += slice.length;
    const day = await lastDay(
      tx,
      enrolled.map(({ id }) => id),
      now,
    );
    accepted += day.accepted;
    for (const { reason, count } of day.flawed) flawed.set(reason, (flawed.get(reason) ?? 0) + count);
  }
  const stamps = [];
  for (const chain of chains) {
    const stamp = await stampOf(tx, chain);
    if (stamp) stamps.push(stamp);
  }
  const described = [];
  for (const feed of feeds.values()) described.push(await describe(tx, { feed, nameOf, now }));
  return {
    total,
    by_status: byStatus,
    by_trust: byTrust,
    co_signers: [...coSigners].toSorted(),
    by_key: byKey,
    reporting_24h: reporting,
    accepted_24h: accepted,
    readings: [...feeds.values()].reduce((sum, { readings }) => sum + readings, 0),
    refused_24h: await refusedSince(tx, now),
    flawed_24h: [...flawed].map(([reason, count]) => ({ reason, count })).filter(({ count }) => count > 0),
    feeds: described.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    as_of: stamps.length === 0 ? null : oldest(stamps),
  };
}

function addToFeed(
  feeds: Map<string, Feed>,
  { device: { chainId, shortId }, head, status }: { device: Enrolled; head: Head | null; status: Device["status"] },
): void {
  const place = `${chainId}:${shortId}`;
  const feed = feeds.get(place) ?? {
    chainId,
    shortId,
    devices: 0,
    inService: 0,
    online: false,
    lastReading: null,
    readings: 0,
  };
  feeds.set(place, feed);
  feed.devices++;
  if (status !== "retired") feed.inService++;
  if (status === "online") feed.online = true;
  feed.readings += head?.readings ?? 0;
  const seen = lastSeen(head);
  if (seen !== null) feed.lastReading = Math.max(feed.lastReading ?? seen, seen);
}

async function describe(
  tx: Orm,
  { feed, nameOf, now }: { feed: Feed; nameOf: (shortId: string) => Promise<string>; now: number },
): Promise<Fleet["feeds"][number]> {
  const { chainId, shortId } = feed;
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
  const unanchored = Math.max(0, feed.readings - Number(anchored?.readings ?? 0));
  const anchoredUpTo = (anchored?.to ?? 0) * 1_000;
  return {
    short_id: shortId,
    name: await nameOf(shortId),
    devices: feed.devices,
    in_service: feed.inService,
    last_reading: feed.lastReading,
    readings_stale: feed.inService > 0 && !feed.online,
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
  const flawed = validationIssues.map((reason) => ({ reason, count: Number(sums?.[reason] ?? 0) }));
  return { accepted: Number(sums?.count ?? 0), flawed };
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

function add<Key extends string>(counts: Partial<Record<Key, number>>, key: Key): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
