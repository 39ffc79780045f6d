import type { Device, KeptReading, ReadingSeries } from "@aqua/sdk/api/telemetry";

const start = Date.UTC(2026, 0, 10, 12);
export const hour = 3_600_000;

/** A meter that reports every minute, but for what a test cares about. */
export function aDevice(parts: Partial<Device> = {}): Device {
  return {
    name: "meter-1",
    short_id: "solar",
    chain_id: 31337,
    metric: "energy",
    kind: "register",
    unit: "kWh",
    place: "Array 1, north field",
    latitude: 14.7,
    longitude: -17.4,
    model: "WM 3",
    trust: "secure_element",
    min: "0",
    max: "100000",
    interval: 60_000,
    key: {
      kind: "p256",
      x: `0x${"11".repeat(32)}`,
      y: `0x${"22".repeat(32)}`,
      valid_from: 1_760_000_000,
      valid_until: null,
    },
    status: "online",
    last: { seq: 42, time: start, value: "1234.5" },
    last_seen: start,
    readings: 42,
    availability: "0.998",
    quality: { score: "0.981", reasons: [{ reason: "missing", share: "0.019" }] },
    ...parts,
  };
}

export function aGauge(parts: Partial<Device> = {}): Device {
  return aDevice({ name: "probe-1", metric: "power", kind: "gauge", unit: "kW", place: "Inverter house", ...parts });
}

export function aKept(parts: Partial<KeptReading> = {}): KeptReading {
  return {
    device: "meter-1",
    seq: 42,
    time: start,
    accepted: start + 500,
    metric: "energy",
    unit: "kWh",
    value: "1234.5",
    flaw: null,
    batch: 3,
    anchored: true,
    ...parts,
  };
}

type Point = ReadingSeries["devices"][number]["points"][number];

/** Hourly points; null for an hour without readings. */
export function aSeries(
  values: (string | null)[],
  { device = aGauge(), change = {} }: { device?: Device; change?: Partial<Point> } = {},
): ReadingSeries {
  const { name, metric, kind, unit } = device;
  const points = values.flatMap((value, index): Point[] =>
    value === null
      ? []
      : [{ time: start + index * hour, value, min: value, max: value, count: 60, good: 60, ...change }],
  );
  return {
    short_id: "solar",
    from: start,
    to: start + values.length * hour,
    resolution: "hour",
    devices: [{ name, metric, kind, unit, step: hour, points }],
  };
}
