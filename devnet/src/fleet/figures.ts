import { DAY, HOUR } from "@aqua/sdk/durations";
import { Random } from "../random.ts";
import { devicesOf, type FleetDevice } from "./devices.ts";
import { counted, outputOf } from "./output.ts";

/** The value of `counted` for a mean day of a product. */
const WHOLE = 10n ** 12n;
/** Mean seconds between two impossible values of a sensor. */
const SPIKE_EVERY = 50 * DAY;

/**
 * Days in a thousand on which a device sends nothing, and on which a sensor begins to repeat the same value for hours.
 */
const OUTAGES = { register: 2, gauge: 4 };
const FREEZES = 5;

/** The value on a meter's dial at `at` (Unix seconds), in steps of its exponent. Never falls. */
function dialAt(device: FleetDevice & { kind: "register" }, at: number): bigint {
  const scale = 10n ** BigInt(-device.exponent);
  const daily = (BigInt(outputOf(device.short_id).daily) * scale * BigInt(device.share)) / 1_000n;
  return BigInt(device.dial) * scale + (counted(device.short_id, device.name, at) * daily) / WHOLE;
}

/** Whether the device sends nothing at `at` (Unix seconds). Each outage lasts a day. */
export function isOut(device: FleetDevice, at: number): boolean {
  return new Random(`${device.name} outage ${Math.floor(at / DAY)}`).chance(OUTAGES[device.kind]);
}

/**
 * Returns the time (Unix seconds) since which a sensor that is stuck at `at` has repeated its value; null when it is
 * not stuck.
 */
function stuckSince(device: FleetDevice, at: number): number | null {
  for (const day of [Math.floor(at / DAY) - 1, Math.floor(at / DAY)]) {
    const random = new Random(`${device.name} freeze ${day}`);
    if (!random.chance(FREEZES)) continue;
    const start = day * DAY + random.between(0, 23) * HOUR;
    if (at >= start && at < start + random.between(15, 23) * HOUR) return start;
  }
  return null;
}

/**
 * Returns the value that a device measures at `time` (Unix milliseconds), in steps of its exponent: the true figure
 * with the sensor's error, equal for equal arguments. A sensor is sometimes stuck or shows an impossible value; meters
 * are never wrong.
 * @param span seconds since its reading before, so that faults are as rare however often it measures
 */
export function figureAt(device: FleetDevice, time: number, span: number): bigint {
  const at = Math.floor(time / 1000);
  if (device.kind === "register") return dialAt(device, at);
  const scale = 10 ** -device.exponent;
  const seen = stuckSince(device, at) ?? at;
  const random = new Random(`${device.name} ${seen}`);
  if (random.between(1, Math.ceil(SPIKE_EVERY / span)) === 1)
    return BigInt(Math.round(Number(device.max) * 1.6 * scale));
  const stray = (random.between(-1_000, 1_000) / 1_000) * device.noise;
  const [min, max] = [Number(device.min), Number(device.max)];
  return BigInt(Math.round(Math.min(max, Math.max(min, device.at(seen) + stray)) * scale));
}

/** The sum that the registers of a product count between two moments (Unix seconds), 18 decimals. */
export function countedBetween(shortId: string, from: number, to: number): bigint {
  let all = 0n;
  for (const device of devicesOf(shortId)) {
    if (device.kind !== "register") continue;
    all += (dialAt(device, to) - dialAt(device, from)) * 10n ** BigInt(18 + device.exponent);
  }
  return all;
}
