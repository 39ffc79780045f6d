import type { Device, DeviceKey } from "@aqua/sdk/api/telemetry";
import { DAY_MS, HOUR_MS } from "@aqua/sdk/durations";
import { figureOf } from "@aqua/sdk/telemetry/figure";
import { metrics } from "@aqua/sdk/telemetry/metrics";
import {
  availabilityOf,
  type DueEvery,
  intervalAt,
  outliersAmong,
  qualityOf,
  type Slot,
  statusOf,
} from "@aqua/sdk/telemetry/quality";
import type { Orm } from "../../db/database.ts";
import type { Product } from "../../indexer/world.ts";
import { toEnrolled } from "../enrolled.ts";
import { readIntervals } from "../intervals.ts";
import { type KeyHistory, keyAt, readKeys } from "../keys.ts";
import {
  type Bucket,
  bucketsOf,
  type Enrolled,
  enrolledDevices,
  type Head,
  ofProduct,
  validReadingsIn,
} from "./deviceStore.ts";
import { groupedBy } from "./group.ts";

/** Number of days that availability covers. */
const AVAILABILITY_DAYS = 30;
/** Maximum number of listed intervals of a device. Nobody reads more. */
const MAX_INTERVALS = 24;

/** Returns the devices of a product at `now`, Unix milliseconds, by name. */
export async function devicesOf(
  tx: Orm,
  product: Pick<Product, "chainId" | "shortId">,
  now: number,
): Promise<Device[]> {
  const since = startOf(now - AVAILABILITY_DAYS * DAY_MS, DAY_MS);
  const yesterday = startOf(now - DAY_MS, HOUR_MS);
  const enrolled = await enrolledDevices(tx, ofProduct(product));
  const devices = enrolled.map(({ device }) => device);
  const ids = devices.map(({ id }) => id);
  const keys = await readKeys(tx, devices);
  const intervals = await readIntervals(tx, devices);
  const days = await bucketsOf(tx, { devices: ids, span: DAY_MS, range: { from: since, to: now } });
  const hours = await bucketsOf(tx, { devices: ids, span: HOUR_MS, range: { from: yesterday, to: now } });
  const strangers = strangersIn(devices, hours);
  return enrolled.map(({ device, head }) => {
    const deviceDays = days.get(device.id) ?? [];
    const to = device.retiredTime ?? now;
    const key = heldKey(keys, device, now);
    const due = intervals.of(device);
    // Readings from before the enrolment may have been imported, so the intervals apply from the first of them on. A
    // new device is not charged for the hours of its first day before its enrolment.
    const began = Math.min(device.createTime, deviceDays[0]?.firstTime ?? device.createTime);
    const slots = (hours.get(device.id) ?? []).map((hour) => ({
      ...slotOf(hour),
      neighbour: strangers.has(placeOf(device.id, hour.start)),
    }));
    return {
      ...toDevice(device, head, { key, due, now }),
      withheld: false,
      availability: availabilityOf(deviceDays.map(slotOf), due, { from: Math.max(since, began), to }),
      quality: qualityOf(slots, due, { from: Math.max(yesterday, began), to }),
    };
  });
}

/** Returns the key of a device at `now`, Unix milliseconds. */
export function heldKey(keys: ReadonlyMap<string, KeyHistory>, { name }: Enrolled, now: number): DeviceKey | null {
  const history = keys.get(name);
  return history ? keyAt(history, now / 1_000) : null;
}

/**
 * Returns the time at which a device was last seen, Unix milliseconds: its newest reading, but not later than this
 * server's clock at that time.
 */
export function lastSeen(head: Head | null): number | null {
  return head === null || head.seq === 0 ? null : Math.min(head.time, head.accepted);
}

/** Inputs for the status of a device at `now` (Unix milliseconds), other than the device and its latest state. */
interface StatusInputs {
  key: DeviceKey | null;
  due: readonly DueEvery[];
  now: number;
}

export function statusAt(
  { retiredTime }: Enrolled,
  head: Head | null,
  { key, due, now }: StatusInputs,
): Device["status"] {
  const interval = intervalAt(due, now);
  return statusOf({ retired: retiredTime !== null, hasKey: key !== null, lastSeen: lastSeen(head), interval }, now);
}

function toDevice(device: Enrolled, head: Head | null, inputs: StatusInputs) {
  const { exponent, ...enrolled } = toEnrolled(device);
  return {
    ...enrolled,
    ...metrics[device.metric],
    interval: intervalAt(inputs.due, inputs.now),
    intervals: distinctIntervals(inputs.due),
    key: inputs.key,
    status: statusAt(device, head, inputs),
    last: lastGood(head, (value) => figureOf(value, exponent)),
    last_seen: lastSeen(head),
    readings: head?.readings ?? 0,
  };
}

/** A change to the same interval counts as one entry. */
function distinctIntervals(due: readonly DueEvery[]): DueEvery[] {
  return due.filter(({ interval }, index) => interval !== due[index - 1]?.interval).slice(-MAX_INTERVALS);
}

function lastGood(head: Head | null, figure: (value: bigint) => string): Device["last"] {
  const { goodSeq: seq = null, goodTime: time = null, goodValue: value = null } = head ?? {};
  return seq === null || time === null || value === null ? null : { seq, time, value: figure(value) };
}

function slotOf(bucket: Bucket): Slot {
  const { start, span, count, bounds, jump, frozen, backwards } = bucket;
  return { start, end: start + span, count, flawed: { bounds, jump, frozen, backwards } };
}

/** Returns the gauges that differed from their neighbours, with the hours. */
function strangersIn(devices: readonly Enrolled[], hours: ReadonlyMap<number, Bucket[]>): ReadonlySet<string> {
  const gauges = devices.filter(({ metric }) => metrics[metric].kind === "gauge");
  const means = gauges.flatMap(({ id, metric, exponent, min, max }) =>
    (hours.get(id) ?? []).flatMap((hour) => {
      const count = BigInt(validReadingsIn(hour));
      const device = placeOf(id, hour.start);
      return count === 0n
        ? []
        : [{ group: `${metric}:${hour.start}`, device, sum: hour.sum, count, exponent, min, max }];
    }),
  );
  return new Set([...groupedBy(means, ({ group }) => group).values()].flatMap(outliersAmong));
}

const placeOf = (device: number, start: number) => `${device}:${start}`;

export function startOf(time: number, span: number): number {
  return time - (time % span);
}
