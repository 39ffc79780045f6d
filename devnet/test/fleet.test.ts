import { deviceBody } from "@aqua/sdk/api/telemetry";
import { metrics } from "@aqua/sdk/telemetry/metrics";
import { sharesOf } from "@aqua/sdk/telemetry/quality";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coSigners, deviceOf, type FleetDevice, fleet } from "../src/fleet/devices.ts";
import { countedBetween, figureAt } from "../src/fleet/figures.ts";
import { FleetHistory } from "../src/fleet/history.ts";
import { signerFor } from "../src/fleet/keys.ts";
import { devnetProducts, shortIds } from "../src/products.ts";

const DAY = 86_400;
const HOUR = 3_600;
const END = Date.UTC(2026, 10, 22, 1) / 1_000;
const history = new FleetHistory(END - 365 * DAY, END);
const registers = fleet.filter(({ kind }) => kind === "register");
const gauges = fleet.filter(({ kind }) => kind === "gauge");
const moment = fc.integer({ min: END - 365 * DAY, max: END + 30 * DAY });

function figure(name: string, at: number): number {
  const device = deviceOf(name);
  return Number(figureAt(device, at * 1_000, HOUR)) * 10 ** device.exponent;
}

/** The median of several days at one hour of the day, which leaves out the sensor's rare faults. */
function usual(name: string, from: number, hour: number): number {
  const figures = Array.from({ length: 21 }, (_, day) => figure(name, from + day * DAY + hour * HOUR));
  return figures.sort((a, b) => a - b)[10] ?? 0;
}

describe("the fleet", () => {
  it("is some two dozen devices over all seven products, of every trust level, three of them simulators", () => {
    expect(fleet.length).toBeGreaterThanOrEqual(24);
    expect([...new Set(fleet.map(({ short_id }) => short_id))].sort()).toEqual([...shortIds].sort());
    expect(new Set(fleet.map(({ trust }) => trust))).toEqual(
      new Set(["declared", "software_key", "secure_element", "attested", "co_signed"]),
    );
    expect(fleet.filter(({ key }) => key === "secp256k1")).toHaveLength(3);
    expect(new Set(fleet.map(({ name }) => name)).size).toBe(fleet.length);
  });

  it.each(fleet)("can be enrolled: $name", (device) => {
    const { kind, key: _, pace, ...rest } = device;
    const {
      at: _at,
      noise: _noise,
      share: _share,
      dial: _dial,
      ...body
    } = rest as FleetDevice & Record<string, unknown>;
    expect(deviceBody.safeParse(body).error).toBeUndefined();
    expect(metrics[device.metric].kind).toBe(kind);
    expect(pace).toBeLessThanOrEqual(device.interval);
  });

  it("splits each product's output among its meters", () => {
    for (const shortId of new Set(registers.map(({ short_id }) => short_id))) {
      const shares = registers.flatMap((device) =>
        device.kind === "register" && device.short_id === shortId ? [device.share] : [],
      );
      expect({ shortId, all: shares.reduce((all, share) => all + share, 0) }).toEqual({ shortId, all: 1_000 });
    }
    for (const { shortId } of devnetProducts) {
      expect(registers.some(({ short_id }) => short_id === shortId)).toBe(true);
    }
  });

  it("has a key of its own for each device and co-signer and each change of it", () => {
    const keys = [...fleet, ...coSigners].flatMap((one) => [0, 1].map((number) => signerFor(one, number).x));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("what devices measure", () => {
  it("is the same every time", () => {
    fc.assert(
      fc.property(fc.constantFrom(...fleet), moment, (device, at) => {
        expect(figureAt(device, at * 1_000, HOUR)).toBe(figureAt(device, at * 1_000, HOUR));
      }),
    );
  });

  it("never falls on a meter, and never rises faster than its limit", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...registers),
        moment,
        fc.oneof(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 90 * DAY })),
        (device, at, later) => {
          const step = figureAt(device, (at + later) * 1_000, HOUR) - figureAt(device, at * 1_000, HOUR);
          expect(step).toBeGreaterThanOrEqual(0n);
          const hours = Math.max(1, later / HOUR);
          expect(Number(step) * 10 ** device.exponent).toBeLessThanOrEqual(Number(device.max_step) * hours);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("is dark at night and bright at noon over the Sahel, and pumps follow the sun", () => {
    const may = Date.UTC(2026, 4, 1) / 1_000;
    for (const hour of [0, 2, 4, 22]) expect(Math.abs(usual("sahel-sun", may, hour))).toBeLessThan(2);
    expect(usual("sahel-sun", may, 13)).toBeGreaterThan(700);
    expect(usual("sahel-pump", may, 2)).toBeLessThan(1);
    expect(usual("sahel-pump", may, 13)).toBeGreaterThan(60);
    const night = countedBetween("sahel-solar", may, may + 5 * HOUR);
    expect(night).toBe(0n);
  });

  it("follows the seasons: the river swells in June, the islands drink in August, the forest is wet in January", () => {
    const month = (index: number) => Date.UTC(2026, index, 3) / 1_000;
    expect(usual("alps-river", month(5), 6)).toBeGreaterThan(2 * usual("alps-river", month(0), 6));
    expect(usual("aegean-power", month(7), 18)).toBeGreaterThan(1.5 * usual("aegean-power", month(1), 18));
    expect(usual("forest-soil-1", month(0), 12)).toBeGreaterThan(usual("forest-soil-1", month(6), 12) + 5);
  });

  it("is zero at slack water, and runs between", () => {
    const speeds = Array.from({ length: 150 }, (_, step) => figure("lofoten-current", END - 200 * DAY + step * 300));
    expect(Math.min(...speeds)).toBeLessThan(0.4);
    expect(speeds.filter((speed) => speed < 5).sort((a, b) => b - a)[0]).toBeGreaterThan(1.5);
  });
});

describe("a year of readings", () => {
  const readings = new Map(fleet.map((device) => [device, history.readingsOf(device)]));
  const all = [...readings.values()].flat();

  it("has one reading a day, and one an interval in the last thirty days, except for outages, in order of time", () => {
    expect(all.length).toBeGreaterThan(20_000);
    for (const [device, ofDevice] of readings) {
      for (const [index, { time }] of ofDevice.entries()) {
        const step = time - (ofDevice[index - 1]?.time ?? 0);
        expect(step).toBeGreaterThan(50 * 60_000);
      }
      const lately = ofDevice.filter(({ time }) => time > (END - 29 * DAY) * 1_000).length;
      // The devices of the closed product have been removed by then.
      if (device.short_id === "lofoten-tidal") expect(lately).toBe(0);
      else expect(lately).toBeGreaterThan((26 * 24 * HOUR * 1_000) / device.interval);
    }
  });

  it("follows its recorded intervals, a day and then those of the enrolments, except for outages", () => {
    for (const [device, ofDevice] of readings) {
      const slots = new Map<number, number>();
      for (const { time } of ofDevice) {
        const day = time - (time % (DAY * 1_000));
        slots.set(day, (slots.get(day) ?? 0) + 1);
      }
      const days = [...slots].map(([start, count]) => ({
        start,
        end: start + DAY * 1_000,
        count,
        flawed: { bounds: 0, jump: 0, frozen: 0, backwards: 0 },
      }));
      const [first, last] = [ofDevice[0]?.time ?? 0, ofDevice.at(-1)?.time ?? 0];
      const intervals = history.intervalsOf(device);
      expect(intervals.map(({ interval }) => interval)).toEqual(
        device.short_id === "lofoten-tidal" ? [DAY * 1_000] : [DAY * 1_000, device.interval],
      );
      const shares = sharesOf({ slots: days, intervals, from: first, to: last });
      expect(shares?.good).toBeGreaterThan(0.94);
      // At another device's scale, the value would be far away.
      expect(
        sharesOf({ slots: days, intervals: [{ since: null, interval: device.interval }], from: first, to: last })?.good,
      ).toBeLessThan(0.7);
    }
  });

  it("lies within the limits of each sensor, except for a few impossible readings", () => {
    let wrong = 0;
    for (const device of gauges) {
      const scale = 10 ** device.exponent;
      for (const { value } of readings.get(device) ?? []) {
        const figure = Number(value) * scale;
        if (figure < Number(device.min) || figure > Number(device.max)) wrong += 1;
      }
    }
    expect(wrong).toBeGreaterThan(10);
    expect(wrong).toBeLessThan(all.length / 100);
  });

  it("has sensors that are stuck for hours, no meter among them", () => {
    const longest = (device: FleetDevice) => {
      let [best, run, before] = [0, 0, null as bigint | null];
      for (const { value } of readings.get(device) ?? []) {
        run = value === before ? run + 1 : 1;
        before = value;
        best = Math.max(best, run);
      }
      return best;
    };
    const stuck = gauges.filter((device) => longest(device) >= 12);
    expect(stuck.length).toBeGreaterThan(0);
    expect(stuck.length).toBeLessThan(gauges.length / 2);
  });
});
