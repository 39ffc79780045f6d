import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meanOf } from "../../src/telemetry/figure.ts";
import {
  availabilityOf,
  type DueEvery,
  intervalAt,
  outliersAmong,
  qualityOf,
  type Slot,
  sharesOf,
  statusOf,
} from "../../src/telemetry/quality.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const none = { bounds: 0, jump: 0, frozen: 0, backwards: 0 };
const hours = (counts: readonly number[], validationIssues: Partial<typeof none> = {}): Slot[] =>
  counts.map((count, index) => ({
    start: index * HOUR,
    end: (index + 1) * HOUR,
    count,
    flawed: { ...none, ...validationIssues },
  }));

const slots = fc
  .array(
    fc.record({
      good: fc.nat(800),
      flawed: fc.record({ bounds: fc.nat(50), jump: fc.nat(50), frozen: fc.nat(50), backwards: fc.nat(50) }),
      neighbour: fc.boolean(),
    }),
    { maxLength: 26 },
  )
  .map((all) =>
    all.map(({ good, flawed, neighbour }, index): Slot => {
      const count = good + Object.values(flawed).reduce((sum, number) => sum + number, 0);
      return { start: index * HOUR, end: (index + 1) * HOUR, count, flawed, neighbour };
    }),
  );
const interval = fc.integer({ min: 1_000, max: 2 * DAY });
const always = (every: number): DueEvery[] => [{ since: null, interval: every }];
/** Several intervals, the first from the start, and moments in and around 25 hours at which they change. */
const changes = fc
  .tuple(
    interval,
    fc.uniqueArray(fc.tuple(fc.nat(26 * HOUR), interval), { selector: ([since]) => since, maxLength: 5 }),
  )
  .map(([first, later]): DueEvery[] => [
    ...always(first),
    ...later.sort(([a], [b]) => a - b).map(([since, every]) => ({ since, interval: every })),
  ]);

/** The former implementation of `sharesOf`, for devices with one constant interval. */
function sharesOfOne(given: readonly Slot[], every: number, from: number, to: number) {
  const expected = Math.floor((to - from) / every);
  if (expected < 1) return null;
  let present = 0;
  const counted = new Map<string, number>();
  const add = (what: string, number: number) => counted.set(what, (counted.get(what) ?? 0) + number);
  for (const { start, end, count, flawed, neighbour } of given) {
    const length = Math.min(end, to) - Math.max(start, from);
    if (length <= 0 || count === 0) continue;
    const weight = Math.min(count, Math.ceil(length / every) + 1) / count;
    present += count * weight;
    let good = count;
    for (const [flaw, number] of Object.entries(flawed)) {
      good -= number;
      add(flaw, number * weight);
    }
    add(neighbour ? "neighbour" : "good", good * weight);
  }
  const whole = Math.max(expected, present);
  const lost = new Map(
    [...counted].flatMap(([what, all]) => (what !== "good" && all > 0 ? [[what, all / whole]] : [])),
  );
  if (present < expected) lost.set("missing", (expected - present) / whole);
  return { good: (counted.get("good") ?? 0) / whole, lost };
}

describe("quality", () => {
  it("divides the expected readings into valid ones and losses that add up to 1", () => {
    fc.assert(
      fc.property(slots, interval, fc.nat(2 * HOUR), (given, every, from) => {
        const shares = sharesOf({ slots: given, intervals: always(every), from, to: 25 * HOUR });
        if (shares === null) return 25 * HOUR - from < every;
        const parts = [shares.good, ...shares.lost.values()];
        const sum = parts.reduce((total, part) => total + part, 0);
        return parts.every((part) => part >= 0 && part <= 1 + 1e-9) && Math.abs(sum - 1) < 1e-9;
      }),
    );
  });

  it("never improves with a missing or invalid reading", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 360 }), { minLength: 24, maxLength: 24 }),
        fc.nat(23),
        (counts, at) => {
          const score = (given: readonly Slot[]) =>
            Number(qualityOf(given, always(10_000), { from: 0, to: DAY }).score);
          const fewer = counts.map((count, index) => (index === at ? count - 1 : count));
          const flawed = hours(counts).map((slot, index) =>
            index === at ? { ...slot, flawed: { ...none, jump: 1 } } : slot,
          );
          return score(hours(fewer)) <= score(hours(counts)) && score(flawed) <= score(hours(counts));
        },
      ),
    );
  });

  it("does not offset a silence by a flood, and tolerates a reading in the wrong hour", () => {
    const span = { from: 0, to: DAY };
    const half = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? 720 : 0));
    expect(Number(availabilityOf(hours(half), always(10_000), span))).toBeCloseTo((12 * 361) / 8_640, 5);
    const shifted = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? 2 : 0));
    expect(availabilityOf(hours(shifted), always(HOUR), span)).toBe("1.000000");
  });

  it("is unknown before the first expected reading, and lists the largest loss first", () => {
    expect(availabilityOf([], always(10_000), { from: 0, to: DAY - 1 })).toBeNull();
    expect(availabilityOf([], always(10_000), { from: 0, to: DAY })).toBe("0.000000");
    expect(qualityOf([], always(10_000), { from: 0, to: 9_999 })).toEqual({ score: null, reasons: [] });
    expect(qualityOf(hours([270], { bounds: 36 }), always(10_000), { from: 0, to: HOUR })).toEqual({
      score: "0.650000",
      reasons: [
        { reason: "missing", share: "0.250000" },
        { reason: "bounds", share: "0.100000" },
      ],
    });
  });
});

describe("quality of a device with several intervals", () => {
  it("equals the former result exactly for a single interval, and for several equal ones", () => {
    fc.assert(
      fc.property(slots, interval, fc.nat(2 * HOUR), changes, (given, every, from, later) => {
        const same = later.map(({ since }) => ({ since, interval: every }));
        const expected = sharesOfOne(given, every, from, 25 * HOUR);
        expect(sharesOf({ slots: given, intervals: always(every), from, to: 25 * HOUR })).toEqual(expected);
        expect(sharesOf({ slots: given, intervals: same, from, to: 25 * HOUR })).toEqual(expected);
      }),
    );
  });

  it("does not change when a period is split into two of the same interval", () => {
    fc.assert(
      fc.property(slots, changes, fc.nat(26 * HOUR), (given, all, at) => {
        fc.pre(!all.some(({ since }) => since === at));
        const place = all.findLastIndex(({ since }) => since === null || since < at) + 1;
        const cut = all.toSpliced(place, 0, { since: at, interval: intervalAt(all, at) });
        expect(sharesOf({ slots: given, intervals: cut, from: 0, to: 25 * HOUR })).toEqual(
          sharesOf({ slots: given, intervals: all, from: 0, to: 25 * HOUR }),
        );
      }),
    );
  });

  it("is 1, except for one reading, for a device that follows each of its intervals, and always adds up to 1", () => {
    fc.assert(
      fc.property(slots, changes, (given, all) => {
        const times: number[] = [];
        all.forEach(({ since, interval: every }, index) => {
          const end = Math.min(all[index + 1]?.since ?? Number.POSITIVE_INFINITY, 25 * HOUR);
          for (let time = since ?? 0; time < end; time += every) times.push(time);
        });
        const counts = Array.from({ length: 25 }, () => 0);
        for (const time of times) counts[Math.floor(time / HOUR)] = (counts[Math.floor(time / HOUR)] ?? 0) + 1;
        const kept = sharesOf({ slots: hours(counts), intervals: all, from: 0, to: 25 * HOUR });
        if (kept !== null) expect(kept.lost.get("missing") ?? 0).toBe(0);
        const shares = sharesOf({ slots: given, intervals: all, from: 0, to: 25 * HOUR });
        const sum = [...(shares?.lost.values() ?? [])].reduce((total, part) => total + part, shares?.good ?? 1);
        expect(sum).toBeCloseTo(1, 9);
      }),
    );
  });

  it("expects of each period what its interval requires, up to its end", () => {
    const held = [...always(DAY), { since: 10 * DAY, interval: HOUR }, { since: 11 * DAY, interval: 10_000 }];
    const day = (index: number, count: number): Slot => ({
      start: index * DAY,
      end: (index + 1) * DAY,
      count,
      flawed: none,
    });
    const year = Array.from({ length: 10 }, (_, index) => day(index, 1));
    const span = { from: 0, to: 11 * DAY + 60_000 };
    expect(availabilityOf([...year, day(10, 24), day(11, 6)], held, span)).toBe("1.000000");
    // 40 readings were due: 10 daily ones, 24 hourly ones, and 6 in the last minute.
    expect(availabilityOf([...year, day(10, 24), day(11, 2)], held, span)).toBe("0.900000");
    expect(availabilityOf([...year, day(10, 24)], held, span)).toBe("0.850000");
    // Many readings within an hour make up for at most one missing hour.
    expect(availabilityOf([...year, day(10, 900)], held, span)).toBe("0.875000");
    expect([0, 10 * DAY - 1, 10 * DAY, 11 * DAY].map((at) => intervalAt(held, at))).toEqual([DAY, DAY, HOUR, 10_000]);
  });
});

describe("outliers", () => {
  const gauge = (device: string, mean: bigint, exponent = 0) => ({
    device,
    sum: mean * 3n,
    count: 3n,
    exponent,
    min: 0n,
    max: 1_000n,
  });

  it("are none among fewer than three gauges, nor where all agree", () => {
    expect(outliersAmong([gauge("a", 0n), gauge("b", 900n)])).toEqual([]);
    expect(outliersAmong([gauge("a", 500n), gauge("b", 500n), gauge("c", 500n)])).toEqual([]);
  });

  it("are further than five times the median distance and a tenth of their range, whatever the exponent", () => {
    const three = [gauge("a", 500n), gauge("b", 510n)];
    expect(outliersAmong([...three, gauge("c", 610n)])).toEqual([]);
    expect(outliersAmong([...three, gauge("c", 611n)])).toEqual(["c"]);
    const fine = { ...gauge("c", 61_100n, -2), max: 100_000n };
    expect(outliersAmong([...three, fine])).toEqual(["c"]);
    expect(outliersAmong([...three, { ...fine, sum: 153_000n }])).toEqual([]);
  });

  it("are never more than half of the gauges", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -1_000n, max: 1_000n }), { maxLength: 12 }), (means) => {
        const named = outliersAmong(means.map((mean, index) => gauge(String(index), mean)));
        return named.length * 2 <= means.length;
      }),
    );
  });
});

it("a device is online for three intervals, then late for a day, unless it has no key or is retired", () => {
  const device = { retired: false, hasKey: true, lastSeen: 0, interval: HOUR };
  expect(statusOf(device, 3 * HOUR)).toBe("online");
  expect(statusOf(device, 3 * HOUR + 1)).toBe("late");
  expect(statusOf(device, DAY)).toBe("late");
  expect(statusOf(device, DAY + 1)).toBe("offline");
  expect(statusOf({ ...device, lastSeen: null }, 0)).toBe("never");
  expect(statusOf({ ...device, lastSeen: null, hasKey: false }, 0)).toBe("no_key");
  expect(statusOf({ ...device, hasKey: false, retired: true }, 0)).toBe("retired");
});

it("a mean is rounded down to a thousandth of the device's step, also below zero", () => {
  expect(meanOf(10n, 3n, -1)).toBe("0.3333");
  expect(meanOf(-10n, 3n, -1)).toBe("-0.3334");
  expect(meanOf(5n, 1n, 3)).toBe("5000");
});
