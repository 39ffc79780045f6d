import { fineFigure } from "@aqua/sdk/telemetry/figure";
import type { Orm } from "../../db/database.ts";
import type { Product } from "../../indexer/world.ts";
import type { Enrolled } from "../read/deviceStore.ts";
import {
  type OpeningBalance,
  openingBalancesOf,
  type Place,
  type RegisterReading,
  readingsAt,
} from "./registerStore.ts";

/**
 * The period that a report covers. Moments are in Unix seconds. Batches are the numbers of the heads that reports
 * name.
 */
export interface Window {
  from: number;
  to: number;
  /** Number of the last batch whose readings count at the end, and that number for the previous report. */
  batch: number;
  batchBefore: number;
}

export interface RegisterCount {
  device: Enrolled;
  first: OpeningBalance["good"];
  last: RegisterReading | null;
  /** 18 decimals. Null if it cannot be determined. */
  counted: bigint | null;
  /** True if a reading needed for the count remains only in the file of its batch. */
  dropped: boolean;
  /** Time of its oldest stored reading, Unix milliseconds. Null if none is stored. */
  keptSince: number | null;
}

/**
 * Returns the amount that registers counted in each of some windows, by the rule of docs/operators/telemetry.md. A
 * window omits registers that had not begun by its end.
 */
export async function countWindows(
  tx: Orm,
  { product, registers, windows }: { product: Product; registers: readonly Enrolled[]; windows: readonly Window[] },
): Promise<RegisterCount[][]> {
  const places = windows.flatMap(({ from, to, batch, batchBefore }) =>
    registers.flatMap(({ id: device }): Place[] => [
      { device, moment: from * 1_000, batch: batchBefore },
      { device, moment: to * 1_000, batch },
    ]),
  );
  const found = await readingsAt(tx, product, places);
  const beginnings = await openingBalancesOf(
    tx,
    registers.map(({ id }) => id),
  );
  return windows.map((window, row) =>
    registers.flatMap((device, column) => {
      const at = (row * registers.length + column) * 2;
      const ends = { first: found[at] ?? null, last: found[at + 1] ?? null };
      return countOne({ device, window, edges: ends, beginning: beginnings.get(device.id) });
    }),
  );
}

function countOne({
  device,
  window: { from, to },
  edges: { first, last },
  beginning,
}: {
  device: Enrolled;
  window: Window;
  edges: { first: RegisterReading | null; last: RegisterReading | null };
  beginning: OpeningBalance | undefined;
}): RegisterCount[] {
  if (beginning === undefined) return [];
  const { time, whole, newest, good } = beginning;
  const droppedAt = (moment: number) => !whole && (good === null || good.time > moment * 1_000);
  if (last === null) {
    // Omits a register that had not begun, or that ended long before and has no stored reading. Nothing of this
    // window is missing in either case.
    const isApart = whole ? time !== null && time > to * 1_000 : time === null && newest <= from * 1_000;
    return isApart ? [] : [{ device, first, last, counted: null, dropped: droppedAt(to), keptSince: time }];
  }
  // A register without a reading at the start counts from its first reading, if that is still stored.
  const start = first ?? (whole ? good : null);
  const steps = start === null ? null : last.value - start.value;
  const counted = steps === null || steps < 0n ? null : fineFigure(steps, device.exponent);
  return [{ device, first: start, last, counted, dropped: start === null && droppedAt(from), keptSince: time }];
}

/** Returns whether every unknown count is unknown only because the readings of that time are no longer stored. */
export function isDropped(counted: readonly RegisterCount[]): boolean {
  const unknown = counted.filter((one) => one.counted === null);
  return unknown.length > 0 && unknown.every(({ dropped }) => dropped);
}

/**
 * Returns the time of the oldest stored reading among the registers whose readings of that window were dropped.
 * Returns null if there is none.
 */
export function keptSince(counted: readonly RegisterCount[]): number | null {
  const times = counted.flatMap((one) => (one.dropped && one.keptSince !== null ? one.keptSince : []));
  return times.length === 0 ? null : Math.min(...times);
}

/** Returns the total of all counts, 18 decimals. Returns null if one is unknown or there are none. */
export function totalOf(counted: readonly RegisterCount[]): bigint | null {
  if (counted.length === 0) return null;
  let total = 0n;
  for (const one of counted) {
    if (one.counted === null) return null;
    total += one.counted;
  }
  return total;
}
