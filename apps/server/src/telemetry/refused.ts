import type { Refusal } from "@aqua/sdk/api/telemetry";
import { DAY_MS, HOUR_MS } from "@aqua/sdk/durations";
import { and, desc, eq, gte, inArray, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { device as deviceTable, refusalCount, refusedReading } from "./schema.ts";

export interface RefusedRow {
  received: number;
  /** The name that the sender claimed; null when none was legible. */
  device: string | null;
  /** Whether a device of that name is enrolled. */
  enrolled: boolean;
  reason: Refusal;
  message: string;
  via: "http" | "mqtt";
  /** The body received. Called only for rows that are stored. */
  payload: () => string;
}

/** Reasons found only after the device's signature was verified. */
const signedReasons = ["co_signature", "replay", "gap", "chain", "time_order"] as const satisfies Refusal[];

/**
 * Whether an enrolled device sent it: over its own MQTT line, or signed. Anything else sent in its name says nothing
 * about the device and changes no public figure.
 */
function isAttributed({ enrolled, via, reason }: Pick<RefusedRow, "enrolled" | "via" | "reason">): boolean {
  return enrolled && (via === "mqtt" || signedReasons.some((signed) => signed === reason));
}

/** The same condition for a stored row. */
export const attributedRow = and(
  or(eq(refusedReading.via, "mqtt"), inArray(refusedReading.reason, [...signedReasons])),
  sql`exists (select from ${deviceTable} d where d.name = ${refusedReading.device})`,
) as SQL;

const KEPT_MS = 30 * DAY_MS;
/**
 * Rows stored per hour for one device, and for all readings together that no device is known to have sent. Further ones
 * are only counted.
 */
const MAX_AN_HOUR = 100;
const LONGEST_PAYLOAD = 2_000;

/** Returns the received body as text for people to read, shortened. */
export function payloadOf(sent: unknown): string {
  return (typeof sent === "string" ? sent : written(sent)).slice(0, LONGEST_PAYLOAD);
}

function written(sent: unknown): string {
  try {
    return JSON.stringify(sent) ?? "";
  } catch (error) {
    // Tens of thousands of nested brackets: the parser needs no stack for them, the serialiser does.
    if (error instanceof RangeError) return "(nested too deeply to be kept)";
    throw error;
  }
}

/** Replaces U+0000, which no text of the database can hold: one such row would roll back the others of its commit. */
const storable = (text: string) => text.replaceAll("\0", "\ufffd");

/** Counts all refused readings and stores some of them. */
export async function keepRefused(tx: Orm, refused: readonly RefusedRow[], now: number): Promise<void> {
  if (refused.length === 0) return;
  const counts = new Map<string, typeof refusalCount.$inferInsert & { count: number }>();
  const byDevice = new Map<string, RefusedRow[]>();
  const day = new Date(now).toISOString().slice(0, 10);
  for (const row of refused) {
    const device = row.device !== null && isAttributed(row) ? row.device : "";
    const key = `${device} ${row.reason}`;
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { day, device, reason: row.reason, count: 1 });
    const ofDevice = byDevice.get(device);
    if (ofDevice) ofDevice.push(row);
    else byDevice.set(device, [row]);
  }
  // One order for all writers, so that two of them never deadlock.
  const ordered = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await tx
    .insert(refusalCount)
    .values(ordered)
    .onConflictDoUpdate({
      target: [refusalCount.day, refusalCount.device, refusalCount.reason],
      set: { count: sql`${refusalCount.count} + excluded.count` },
    });
  const storedRows = new Set<RefusedRow>();
  for (const [device, rows] of byDevice) {
    const room = MAX_AN_HOUR - (await countStoredSince(tx, device, now - (now % HOUR_MS)));
    for (const row of rows.slice(0, Math.max(0, room))) storedRows.add(row);
  }
  if (storedRows.size === 0) return;
  // In the order of arrival.
  await tx
    .insert(refusedReading)
    .values(
      refused
        .filter((row) => storedRows.has(row))
        .map(({ enrolled, ...row }) => ({ ...row, message: storable(row.message), payload: storable(row.payload()) })),
    );
}

/**
 * Counts the rows stored since a moment for a device ("" for those that no device is known to have sent), up to
 * `MAX_AN_HOUR`.
 */
async function countStoredSince(tx: Orm, device: string, since: number): Promise<number> {
  const { id, received } = refusedReading;
  const newest = tx
    .select({ id, received })
    .from(refusedReading)
    .where(
      device === ""
        ? and(gte(received, since), not(attributedRow))
        : and(eq(refusedReading.device, device), attributedRow),
    )
    .orderBy(desc(id))
    .limit(MAX_AN_HOUR)
    .as("newest");
  const rows = await tx.select({ id: newest.id }).from(newest).where(gte(newest.received, since));
  return rows.length;
}

/** Deletes refused readings after their retention. The counts stay. */
export async function deleteOldRefusals(orm: Orm, now: number): Promise<void> {
  await orm.delete(refusedReading).where(lte(refusedReading.received, now - KEPT_MS));
}
