import { nameHex } from "@aqua/sdk/proofs/reading";
import { sql } from "drizzle-orm";
import type { Orm } from "../../db/database.ts";
import type { Product } from "../../indexer/world.ts";

/** A reading of a register that counts. */
export interface RegisterReading {
  seq: number;
  /** Unix milliseconds. */
  time: number;
  value: bigint;
  /** Number of the batch that contains it. */
  batch: number;
}

/** A query for the last reading of a device at or before `moment` (Unix milliseconds) in batches up to `batch`. */
export interface Place {
  device: number;
  moment: number;
  batch: number;
}

/**
 * Returns the reading for each of some places, in their order. Null means that there is none, or that it was dropped
 * because of its age.
 */
export async function readingsAt(tx: Orm, of: Product, places: readonly Place[]): Promise<(RegisterReading | null)[]> {
  if (places.length === 0) return [];
  const stream = nameHex(of.shortId);
  const list = (numbers: readonly number[]) => `{${numbers.join(",")}}`;
  const { rows } = await tx.execute<Record<"place" | "seq" | "time" | "value" | "batch", string | number>>(sql`
    select places.place, found.seq, found.time, found.value, part.number as batch
    from unnest(
      ${list(places.map(({ device }) => device))}::int[],
      ${list(places.map(({ moment }) => moment))}::bigint[],
      ${list(places.map(({ batch }) => batch))}::int[]
    ) with ordinality as places(device, moment, batch, place)
    cross join lateral (
      select last_seq from telemetry_batch_part
      where chain_id = ${of.chainId} and stream = ${stream}
        and number <= places.batch and device = places.device
      order by number desc limit 1
    ) as newest
    cross join lateral (
      select seq, time, value from reading
      where device = places.device and time <= places.moment and seq <= newest.last_seq and flaw is null
      order by time desc limit 1
    ) as found
    cross join lateral (
      select number from telemetry_batch_part
      where device = places.device and last_seq >= found.seq and first_seq <= found.seq
      order by last_seq limit 1
    ) as part`);
  const byPlace = new Map(rows.map((row) => [Number(row.place), row]));
  return places.map((_, index) => {
    const row = byPlace.get(index + 1);
    if (!row) return null;
    const { seq, time, value, batch } = row;
    return { seq: Number(seq), time: Number(time), value: BigInt(value), batch: Number(batch) };
  });
}

/** The first readings of a device, as far as they are stored. */
export interface OpeningBalance {
  /** Time of the oldest stored reading, Unix milliseconds. Null if all were dropped because of their age. */
  time: number | null;
  /** True if no reading was dropped. */
  whole: boolean;
  /** Time of its newest reading, whether it is stored or not. */
  newest: number;
  /** The oldest stored reading that counts. */
  good: (Omit<RegisterReading, "batch"> & { batch: number | null }) | null;
}

/** Returns the first readings of some devices, by device id. A device without readings has no entry. */
export async function openingBalancesOf(
  tx: Orm,
  devices: readonly number[],
): Promise<ReadonlyMap<number, OpeningBalance>> {
  const { rows } = await tx.execute<{
    device: number;
    newest: string;
    began: string | null;
    whole: boolean | null;
    seq: string | null;
    time: string | null;
    value: string | null;
    batch: number | null;
  }>(sql`
    select head.device, head.time as newest, first.time as began, first.prev = ${new Uint8Array(32)} as whole,
      good.seq, good.time, good.value, part.number as batch
    from device_head as head
    left join lateral (
      select time, prev from reading where device = head.device order by time limit 1
    ) as first on true
    left join lateral (
      select seq, time, value from reading where device = head.device and flaw is null order by time limit 1
    ) as good on true
    left join lateral (
      select number from telemetry_batch_part
      where device = head.device and last_seq >= good.seq and first_seq <= good.seq
      order by last_seq limit 1
    ) as part on true
    where head.device = any(${`{${devices.join(",")}}`}::int[]) and head.seq > 0`);
  return new Map(
    rows.map(({ device, newest, began, whole, seq, time, value, batch }) => {
      const good = seq === null ? null : { seq: Number(seq), time: Number(time), value: BigInt(value ?? 0), batch };
      return [
        device,
        { time: began === null ? null : Number(began), whole: whole ?? false, newest: Number(newest), good },
      ];
    }),
  );
}
