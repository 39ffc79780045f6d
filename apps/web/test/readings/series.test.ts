import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { latestOf } from "../../src/features/readings/device-readings.ts";
import { flawsOf, pointsOf, seriesQuery } from "../../src/features/readings/series.ts";
import { aDevice, aGauge, aKept, aSeries, hour } from "./fixtures.ts";

const drawn = (series: ReturnType<typeof aSeries>) => {
  const [device] = series.devices;
  if (!device) throw new Error("no device");
  return { points: pointsOf(device, series), validationIssues: flawsOf(device) };
};

describe("points of a chart", () => {
  it("have a gap where nothing was measured, whatever is missing", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 9 }).map(String)), { maxLength: 40 }), (values) => {
        const { points } = drawn(aSeries(values));
        expect(points.filter(({ value }) => value !== null).map(({ value }) => value)).toEqual(
          values.filter((value) => value !== null),
        );
        const neighbours = points.slice(1).map((point, index) => [points[index], point] as const);
        for (const [before, after] of neighbours) {
          expect(after.time).toBeGreaterThan(before?.time ?? 0);
          if (before?.value !== null && after.value !== null) expect(after.time - (before?.time ?? 0)).toBe(hour);
        }
      }),
    );
  });

  it("cover the whole span, even where it starts and ends without readings", () => {
    const series = aSeries([null, null, "1", "2", null, null]);
    const { points } = drawn(series);
    expect(points[0]).toEqual({ time: series.from, value: null });
    expect(points.at(-1)).toEqual({ time: series.to, value: null });
  });

  it("have minimum and maximum for a gauge, not for a register", () => {
    const change = { min: "1", max: "9" };
    expect(drawn(aSeries(["5"], { change })).points[0]?.range).toEqual({ low: "1", high: "9" });
    expect(drawn(aSeries(["5"], { change, device: aDevice() })).points[0]?.range).toBeUndefined();
  });

  it("mark readings that are not counted, with how many of how many", () => {
    expect(drawn(aSeries(["5"], { change: { good: 57 } })).validationIssues[0]?.text).toBe("3 of 60 readings excluded");
    expect(drawn(aSeries(["5"], { change: { good: 0, count: 1 } })).validationIssues[0]?.text).toBe(
      "This reading is excluded",
    );
    expect(drawn(aSeries(["5", "6"])).validationIssues).toEqual([]);
  });

  it("are fetched in days where a register's hours would be too many", () => {
    expect(seriesQuery(aDevice(), "30d", 40 * 24 * hour)).toEqual({
      device: "meter-1",
      from: 10 * 24 * hour,
      to: 40 * 24 * hour,
      resolution: "day",
    });
    expect(seriesQuery(aGauge(), "30d", 40 * 24 * hour).resolution).toBe("hour");
    expect(seriesQuery(aGauge(), "24h", 40 * 24 * hour)).not.toHaveProperty("resolution");
  });
});

describe("the latest readings", () => {
  const kept = (seq: number, anchored: boolean) => aKept({ seq, anchored });

  it("reach back to the verifiable ones, past any number of waiting ones", () => {
    const many = Array.from({ length: 60 }, (_, index) => kept(100 - index, index >= 50));
    const { rows, left } = latestOf(many);
    expect(rows.map(({ seq }) => seq)).toEqual([100, 99, 50, 49, 48, 47, 46]);
    expect(left).toBe(48);
  });

  it("omit none when none waits", () => {
    expect(latestOf([kept(2, true), kept(1, true)])).toMatchObject({ rows: [{ seq: 2 }, { seq: 1 }], left: 0 });
  });
});
