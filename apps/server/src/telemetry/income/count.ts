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

/** What a report accounts for. Moments in Unix seconds; batches by the numbers of the heads that reports name. */
export interface Window {
  from: number;
  to: number;
  /** Up to which batch readings count at the end, and up to which the report before counted. */
  batch: number;
  batchBefore: number;
}

export interface RegisterCount {
  device: Enrolled;
  first: OpeningBalance["good"];
  last: RegisterReading | null;
  /** 18 decimals; null where it cannot be known. */
  counted: bigint | null;
  /** A reading it would be counted by is kept only in its batch's file. */
  dropped: boolean;
  /** Time of its oldest reading that is kept, Unix milliseconds; null when none is. */
  keptSince: number | null;
}

/**
 * What registers counted in each of some windows, by the rule of docs/operators/telemetry.md. A register that had not begun by a
 * window's end is left out of it.
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
    // One that had not begun, or had long ended: then nothing of it is left, and nothing of this time is missing.
    const isApart = whole ? time !== null && time > to * 1_000 : time === null && newest <= from * 1_000;
    return isApart ? [] : [{ device, first, last, counted: null, dropped: droppedAt(to), keptSince: time }];
  }
  // One that has no reading at the start counts from its first, if that is there still.
  const start = first ?? (whole ? good : null);
  const steps = start === null ? null : last.value - start.value;
  const counted = steps === null || steps < 0n ? null : fineFigure(steps, device.exponent);
  return [{ device, first: start, last, counted, dropped: start === null && droppedAt(from), keptSince: time }];
}

/** Whether all that is unknown is so because the readings of that time are not kept any more. */
export function isDropped(counted: readonly RegisterCount[]): boolean {
  const unknown = counted.filter((one) => one.counted === null);
  return unknown.length > 0 && unknown.every(({ dropped }) => dropped);
}

/** The oldest reading kept of those whose readings of that time are not; null where there is none. */
export function keptSince(counted: readonly RegisterCount[]): number | null {
  const times = counted.flatMap((one) => (one.dropped && one.keptSince !== null ? one.keptSince : []));
  return times.length === 0 ? null : Math.min(...times);
}

/** What all of them counted together, 18 decimals; null where one is unknown, or there is none. */
export function totalOf(counted: readonly RegisterCount[]): bigint | null {
  if (counted.length === 0) return null;
  let total = 0n;
  for (const one of counted) {
    if (one.counted === null) return null;
    total += one.counted;
  }
  return total;
}
