import type { Device, IncomeCheck, ReadingSeries, StoredReading } from "@aqua/sdk/api/telemetry";

const start = Date.UTC(2026, 0, 10, 12);
export const hour = 3_600_000;

/** A meter that reports every minute, except for the given fields. */
export function aDevice(parts: Partial<Device> = {}): Device {
  return {
    name: "meter-1",
    withheld: false,
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
    co_signer: null,
    min: "0",
    max: "100000",
    interval: 60_000,
    intervals: [{ since: null, interval: 60_000 }],
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

export function aKept(parts: Partial<StoredReading> = {}): StoredReading {
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

/** Hourly points; null is an hour without readings. */
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

export const reportHash = `0x${"ee".repeat(32)}`;

/** A report that exactly equals its readings. */
export function anIncomeCheck(parts: Partial<IncomeCheck> = {}): IncomeCheck {
  const first = { seq: 2, time: start - 24 * hour, value: "1000.0", batch: 1 };
  return {
    short_id: "solar",
    report: {
      time: start + hour,
      from: start - 24 * hour,
      to: start,
      delta: "19.200000",
      evidence_root: `0x${"cd".repeat(32)}`,
      hash: reportHash,
      block: 900,
    },
    metric: {
      id: "energy-sold",
      version: 1,
      register: "energy",
      unit: "kWh",
      price: "0.080000",
      share: "0.600000000000000000",
      financed: "1000.000000",
    },
    devices: [
      { name: "meter-1", first, last: { seq: 42, time: start, value: "1400.0", batch: 3 }, counted: "400.0" },
      { name: "meter-2", first, last: { seq: 40, time: start, value: "1100.0", batch: 3 }, counted: "100.0" },
    ],
    counted: "500.000000000000000000",
    proceeds: "40.000000",
    assets: "800.000000",
    expected: "19.200000",
    other: "0.000000",
    other_reason: null,
    retained_since: null,
    anchor: { number: 3, head: `0x${"cd".repeat(32)}`, block: 890, time: start + 60_000 },
    verdict: "equal",
    ...parts,
  };
}
