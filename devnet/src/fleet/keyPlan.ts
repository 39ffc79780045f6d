import { DAY, HOUR } from "@aqua/sdk/durations";
import { coSigners, type FleetDevice, fleet } from "./devices.ts";

/** A change to a device's key at `time`; times in Unix seconds. Keys of a device count from 0. */
export type KeyEvent =
  | { kind: "registerKey"; time: number; device: string; key: number; validFrom: number }
  | { kind: "revokeKey"; time: number; device: string };

/** Seconds after the start of the world at which the first keys are registered. */
const FIRST_KEYS_AFTER = 3_000;

/**
 * Point of the seeded time, in parts per thousand, at which a device's signer is replaced, and at which one is lost in
 * the flood.
 */
const rotated = { device: "aegean-meter-east", after: 520 };
const lost = { device: "alps-level", after: 582 };

interface Simulation {
  start: number;
  end: number;
}

/** Returns all changes to keys in a world from `start` to `end`. */
export function keyEvents({ start, end }: Simulation): KeyEvent[] {
  const part = (perThousand: number) => start + Math.floor(((end - start) * perThousand) / 1_000);
  const loss = part(lost.after);
  return [
    ...[...fleet, ...coSigners].map(({ name }) => ({
      kind: "registerKey" as const,
      time: start + 240,
      device: name,
      key: 0,
      validFrom: start + FIRST_KEYS_AFTER,
    })),
    {
      kind: "registerKey",
      time: part(rotated.after),
      device: rotated.device,
      key: 1,
      validFrom: part(rotated.after) + DAY,
    },
    { kind: "revokeKey", time: loss, device: lost.device },
    // A block is mined at most half an hour later, and a key must become valid in the future.
    { kind: "registerKey", time: loss + 3 * DAY, device: lost.device, key: 1, validFrom: loss + 3 * DAY + 2 * HOUR },
  ];
}

/** Returns the number of the key that a device signs with at a moment (Unix seconds); null while it has none. */
export function keyAt(life: Simulation): (device: FleetDevice, at: number) => number | null {
  const events = new Map<string, KeyEvent[]>();
  for (const event of keyEvents(life)) events.set(event.device, [...(events.get(event.device) ?? []), event]);
  return ({ name }, at) => {
    let key: number | null = null;
    for (const event of events.get(name) ?? []) {
      if (event.kind === "revokeKey") key = at >= event.time ? null : key;
      else if (at >= event.validFrom) key = event.key;
    }
    return key;
  };
}

/** Returns the number of the key that a device signs with after the seeded time. */
export function lastKey({ name }: FleetDevice): number {
  return name === rotated.device || name === lost.device ? 1 : 0;
}
