import { DAY, HOUR } from "@aqua/sdk/durations";
import { devnetProducts } from "../products.ts";
import { Random } from "../random.ts";
import { devicesOf, type FleetDevice, fleet } from "./devices.ts";
import { figureAt, isOut } from "./figures.ts";
import { keyAt } from "./keyPlan.ts";

/** A reading before it is signed: `time` in Unix milliseconds, `value` in steps of the device's exponent. */
export interface PlannedReading {
  time: number;
  value: bigint;
}

/** Minute of the day of the daily reading, for devices of time deposits. */
const READING_MINUTE = 5 * 60 + 50;
/** In the last of this many parts of a world's time, devices measure as often as they owe: thirty days of a year. */
const RECENT_PART = 12;

/**
 * Returns the time at which a demand deposit is closed during the seeded time, Unix seconds; null for any other
 * product.
 */
export function closingTime(shortId: string, { start, end }: { start: number; end: number }): number | null {
  const after = devnetProducts.find((product) => product.shortId === shortId)?.closedAfter;
  return after === undefined ? null : start + Math.floor(((end - start) * after) / 1_000);
}

/**
 * Returns the last moment that is measured in a world that ends at `end`, so that a block follows the last anchoring.
 */
export function measuredUntil(end: number): number {
  return end - 10;
}

/**
 * All measurements of the fleet from `start` to `end` (Unix seconds): once a day, and towards the end as often as
 * devices owe. The day's reading comes shortly before the minute at which the product's income is reported. Devices of
 * a closed product are removed that day. Deterministic: equal times give equal measurements.
 */
export class FleetHistory {
  readonly keyAt: ReturnType<typeof keyAt>;
  readonly #readings = new Map<string, readonly PlannedReading[]>();

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.keyAt = keyAt({ start, end });
  }

  /** Returns the readings of a device, oldest first. */
  readingsOf(device: FleetDevice): readonly PlannedReading[] {
    const known = this.#readings.get(device.name) ?? this.#measure(device);
    this.#readings.set(device.name, known);
    return known;
  }

  /**
   * The sum that the registers of a product counted between two moments, 18 decimals: the last reading by `to` less the
   * last by `from` of each register; a register without a reading by `from` counts from its first one.
   */
  counted(shortId: string, from: number, to: number): bigint {
    let all = 0n;
    for (const device of devicesOf(shortId)) {
      if (device.kind !== "register") continue;
      const last = this.#lastBy(device, to);
      const first = this.#lastBy(device, from) ?? this.readingsOf(device)[0];
      if (last !== null && first !== undefined) all += (last.value - first.value) * 10n ** BigInt(18 + device.exponent);
    }
    return all;
  }

  /** Whether anything of the product was measured after `from`, up to `to`. */
  measured(shortId: string, from: number, to: number): boolean {
    return devicesOf(shortId).some((device) => (this.#lastBy(device, to)?.time ?? 0) > from * 1_000 + 999);
  }

  /**
   * Returns the intervals of a device and the time of the first reading of each, oldest first; both in milliseconds.
   */
  intervalsOf(device: FleetDevice): { since: number; interval: number }[] {
    const readings = this.readingsOf(device);
    const [first, often] = [readings[0], readings.find(({ time }) => time >= this.#recent * 1_000)];
    return [
      ...(first === undefined ? [] : [{ since: first.time, interval: DAY * 1_000 }]),
      ...(often === undefined ? [] : [{ since: often.time, interval: device.interval }]),
    ];
  }

  /** Time from which devices measure as often as they owe. */
  get #recent(): number {
    return this.end - Math.floor((this.end - this.start) / DAY / RECENT_PART) * DAY;
  }

  #lastBy(device: FleetDevice, at: number): PlannedReading | null {
    const readings = this.readingsOf(device);
    let [low, high] = [0, readings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Math.floor((readings[middle] as PlannedReading).time / 1_000) <= at) low = middle + 1;
      else high = middle;
    }
    return readings[low - 1] ?? null;
  }

  #measure(device: FleetDevice): PlannedReading[] {
    const { start, end } = this;
    const readings: PlannedReading[] = [];
    const minute = devnetProducts.find(({ shortId }) => shortId === device.short_id)?.reportMinute ?? READING_MINUTE;
    const recent = this.#recent;
    const until = Math.min(measuredUntil(end), closingTime(device.short_id, this) ?? end);
    // Devices of a product send in different seconds.
    const lead = 20 + 7 * (fleet.indexOf(device) % 7);
    const first = Math.floor(start / DAY) * DAY + minute * 60 - lead;
    for (let at = first; at <= until; at += at < recent - DAY ? DAY : device.interval / 1_000) {
      const daily = (at - first) % DAY === 0;
      if (at < start + HOUR || (!daily && at < recent)) continue;
      if (this.keyAt(device, at) === null || isOut(device, at)) continue;
      const time = at * 1_000 + new Random(`${device.name} clock ${at}`).between(0, 999);
      readings.push({ time, value: figureAt(device, time, at < recent ? DAY : device.interval / 1_000) });
    }
    return readings;
  }
}
