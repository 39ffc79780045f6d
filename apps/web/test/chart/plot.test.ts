import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnsOf, movedCursor, nearestColumn, plotOf } from "../../src/ui/chart/plot.ts";
import { timeTicks, valueExtent, valueTicks } from "../../src/ui/chart/scale.ts";
import type { ChartProps } from "../../src/ui/chart/types.ts";

const day = 86_400_000;
const hour = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const words = { tick: (time: number) => new Date(time).toISOString().slice(0, 10) };
const line = (values: (string | null)[], more: Partial<ChartProps["series"][number]> = {}) => ({
  name: "Price",
  colour: 1 as const,
  points: values.map((value, index) => ({ time: start + index * day, value })),
  ...more,
});
const plot = (props: Partial<ChartProps>, width = 600) =>
  plotOf({ title: "T", series: [], format: (value) => Number(value).toFixed(2), ...props }, width, words);
const moves = (path: string | undefined) => path?.match(/M/g)?.length;

describe("a drawing", () => {
  it("shows a gap as a gap, and a single point between two gaps as a dot", () => {
    const [drawn] = plot({ series: [line(["1", "2", null, "3", null, "4", "5"])] }).lines;
    expect(moves(drawn?.path)).toBe(3);
    expect(drawn?.dots).toHaveLength(1);
  });

  it("fills each run separately, so that no area covers a gap", () => {
    const [drawn] = plot({ series: [line(["1", "2", null, "3", "4"], { area: true })] }).lines;
    expect(drawn?.area?.match(/Z/g)).toHaveLength(2);
  });

  it("draws minimum to maximum as a band, run by run, and scales to fit it", () => {
    const points = ["5", "6", null, "7", "8"].map((value, index) => ({
      time: start + index * day,
      value,
      ...(value === null ? {} : { range: { low: "1", high: "40" } }),
    }));
    const { lines, toY, bottom } = plot({ series: [{ ...line([]), points }] });
    expect(lines[0]?.band?.match(/Z/g)).toHaveLength(2);
    expect(lines[0]?.band).toContain(String(toY(40)));
    expect(toY(40)).toBeGreaterThan(0);
    expect(toY(1)).toBeLessThan(bottom);
    expect(plot({ series: [line(["1", "2"])] }).lines[0]?.band).toBeNull();
  });

  it("keeps distances in time: uneven steps stay uneven", () => {
    const points = [0, 1, 10].map((at) => ({ time: start + at * day, value: "1" }));
    const { toX } = plot({ series: [{ ...line([]), points }] });
    const [a, b, c] = points.map((point) => toX(point.time)) as [number, number, number];
    expect((c - a) / (b - a)).toBeCloseTo(10, 0);
  });

  it("labels the last known value at the line's end, also where a gap follows", () => {
    const [end] = plot({ series: [line(["1", "2", "2.5", null])] }).ends;
    expect(end?.text).toBe("2.50");
    expect(end?.x).toBe(plot({ series: [line(["1", "2", "2.5", null])] }).toX(start + 2 * day));
  });

  it("spans a hundredth of the value at least, with labels that differ", () => {
    const { up, toY, bottom } = plot({ series: [line(["1000", "999.999999", "1000.000001"])] });
    expect(new Set(up.map(({ text }) => text)).size).toBe(up.length);
    expect(up.length).toBeGreaterThan(1);
    expect(Math.abs(toY(1000) - toY(999.999999))).toBeLessThan(0.1);
    expect(toY(995)).toBeGreaterThanOrEqual(bottom - 1);
    const coarse = plot({ series: [line(["3", "3.1"])], format: (value) => Number(value).toFixed(0) });
    expect(coarse.up.map(({ text }) => text)).toEqual(["3"]);
  });

  it("moves labels of close ends apart and keeps them in the drawing area", () => {
    const { ends, bottom } = plot({ series: [line(["1", "0"]), line(["1", "0.001"], { colour: 2 })] });
    const [one, two] = ends.map((end) => end.textY) as [number, number];
    expect(Math.abs(one - two)).toBeGreaterThanOrEqual(13.9);
    expect(Math.max(one, two)).toBeLessThan(bottom);
  });

  it("labels a few bars by their own times instead of the calendar's", () => {
    const week = 7 * day;
    // The bars start on Mondays, although the calendar's weeks start on Sundays.
    const monday = Date.UTC(2026, 10, 16);
    const points = Array.from({ length: 12 }, (_, index) => ({ time: monday + index * week, value: "5" }));
    const { across, bars } = plot({ series: [{ ...line([]), points, bars: true }] });
    expect(across.length).toBeGreaterThan(2);
    const middles = bars.map((bar) => bar.x + (bar.width + 1) / 2);
    for (const tick of across) expect(Math.min(...middles.map((at) => Math.abs(at - tick.at)))).toBeLessThan(0.1);
    expect(across[0]?.text).toBe("2026-11-16");
  });

  it("starts bars at 0 and draws none for 0 or an unknown value", () => {
    const { bars, toY } = plot({ series: [line(["4", "0", null, "8"], { bars: true })] });
    expect(bars).toHaveLength(2);
    for (const bar of bars) expect(bar.y + bar.height).toBeCloseTo(toY(0), 5);
    expect((bars[1]?.height ?? 0) / (bars[0]?.height ?? 1)).toBeCloseTo(2, 1);
  });

  it.each([320, 480, 660, 1200])("leaves space between the labels of its horizontal axis at %i px", (width) => {
    const across = { name: "Amount", format: (value: number) => `${value / 1000}K tUSD` };
    const points = [0, 836_600].map((time) => ({ time, value: "1" }));
    for (const shape of [
      plot({ series: [line(Array(84).fill("1"))] }, width),
      plot({ series: [{ ...line([]), points }], across }, width),
    ]) {
      expect(shape.across.length).toBeGreaterThan(0);
      shape.across.slice(1).forEach((tick, index) => {
        const before = shape.across[index];
        expect(tick.at - (before?.at ?? 0)).toBeGreaterThan(tick.text.length * 6.7);
      });
    }
  });

  it("shows no flag outside its time range", () => {
    const markers = [-1, 1, 9].map((at) => ({ time: start + at * day, text: `report ${at}`, tone: "gain" as const }));
    const { flags, columns } = plot({ series: [line(["1", "2", "3"])], markers });
    expect(flags).toHaveLength(1);
    expect(columns.map((column) => column.markers.map((marker) => marker.text))).toEqual([[], ["report 1"], []]);
  });

  it("marks a loss among the reports of a year, on a phone too", () => {
    const points = Array.from({ length: 366 }, (_, index) => (1 + index / 1_000).toFixed(3));
    const markers = points.map((_, at) => ({
      time: start + at * day,
      text: `report ${at}`,
      tone: at === 200 ? ("loss" as const) : ("gain" as const),
    }));
    // The API lists reports newest first.
    const newestFirst = [...markers].reverse();
    for (const width of [320, 1200]) {
      const { flags, columns } = plot({ series: [line(points)], markers: newestFirst }, width);
      // The loss is drawn above all other markers, as a flag.
      expect(flags.at(-1)).toMatchObject({ tone: "loss", small: false });
      const ticks = flags.slice(0, -1);
      expect(ticks.every(({ small, tone }) => small && tone === "gain")).toBe(true);
      expect(ticks.length).toBeGreaterThan(50);
      for (const [index, { x }] of ticks.slice(1).entries())
        expect(x - (ticks[index]?.x ?? 0)).toBeGreaterThanOrEqual(3);
      // A marker without a tick of its own is still named at the cursor.
      expect(columns.flatMap((column) => column.markers)).toHaveLength(366);
    }
    const few = plot({ series: [line(points.slice(0, 5))], markers: markers.slice(0, 5) }).flags;
    expect(few.map(({ small }) => small)).toEqual(Array(5).fill(false));
  });

  it("keeps lines, bars and flags in the drawing area at any width, whatever the values", () => {
    const value = fc.option(
      fc.double({ min: -1e12, max: 1e12, noNaN: true }).map((number) => number.toFixed(6)),
      { nil: null },
    );
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 40 }),
        fc.integer({ min: 200, max: 1400 }),
        fc.boolean(),
        (values, width, bars) => {
          const { lines, bars: drawn, right, bottom, ends } = plot({ series: [line(values, { bars })] }, width);
          const text = lines.map((one) => one.path).join("");
          expect(text).not.toMatch(/NaN|Infinity/);
          for (const [, x, y] of text.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)) {
            expect(Number(x)).toBeGreaterThanOrEqual(0);
            expect(Number(x)).toBeLessThanOrEqual(right + 0.01);
            expect(Number(y)).toBeGreaterThanOrEqual(0);
            expect(Number(y)).toBeLessThanOrEqual(bottom + 0.01);
          }
          for (const bar of drawn) expect(bar.y).toBeGreaterThanOrEqual(0);
          for (const end of ends) expect(end.textY).toBeLessThanOrEqual(bottom);
        },
      ),
    );
  });
});

describe("the scales", () => {
  it("label the only full minute within two by its time, not by its year", () => {
    const noon = new Date(2026, 10, 22, 12, 0).getTime();
    expect(timeTicks({ min: noon - 20_000, max: noon + 30_000 }, 4)).toEqual([{ time: noon, unit: "hour" }]);
  });

  it("have round ascending numbers within the extent", () => {
    expect(valueTicks({ min: 0, max: 1 }, 4)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(valueTicks({ min: 1.0012, max: 1.0543 }, 5)).toEqual([1.01, 1.02, 1.03, 1.04, 1.05]);
    fc.assert(
      fc.property(
        fc.double({ min: -1e12, max: 1e12, noNaN: true }),
        fc.double({ min: 1e-6, max: 1e12, noNaN: true }),
        fc.integer({ min: 2, max: 8 }),
        (min, size, most) => {
          fc.pre(size > Math.abs(min) * 1e-7);
          const ticks = valueTicks({ min, max: min + size }, most);
          expect(ticks.length).toBeLessThanOrEqual(most * 2);
          for (const tick of ticks) {
            expect(tick).toBeGreaterThanOrEqual(min - size * 1e-6);
            expect(tick).toBeLessThanOrEqual(min + size * (1 + 1e-6));
          }
          expect([...new Set(ticks)].sort((a, b) => a - b)).toEqual(ticks);
        },
      ),
    );
  });

  it("have a positive height and contain all values", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true })), fc.boolean(), (values, fromZero) => {
        const { min, max } = valueExtent(values, fromZero);
        expect(max).toBeGreaterThan(min);
        for (const value of values) expect(value >= min && value <= max).toBe(true);
      }),
    );
  });

  it("put times on full hours, midnights and firsts of months in the reader's zone", () => {
    const months = timeTicks({ min: start, max: start + 365 * day }, 6);
    expect(months.every(({ time }) => new Date(time).getDate() === 1)).toBe(true);
    expect(months.length).toBeGreaterThan(2);
    const days = timeTicks({ min: start, max: start + 7 * day }, 5);
    expect(days.every(({ time }) => new Date(time).getHours() === 0)).toBe(true);
    const hours = timeTicks({ min: start, max: start + day }, 5);
    expect(hours.every(({ time }) => new Date(time).getMinutes() === 0)).toBe(true);
  });

  it("label days over more than two of them, otherwise hours with the midnight in between, at any width", () => {
    for (const most of [3, 8, 14, 20]) {
      const week = timeTicks({ min: start + 14.5 * hour, max: start + 7 * day + 14.5 * hour }, most);
      expect(week.length, String(most)).toBeGreaterThan(2);
      expect(week.every(({ unit }) => unit === "day")).toBe(true);
    }
    const hours = timeTicks({ min: start + 14.5 * hour, max: start + day + 14.5 * hour }, 12);
    expect(hours.filter(({ unit }) => unit === "day").map(({ time }) => new Date(time).getHours())).toEqual([0]);
    expect(hours.filter(({ unit }) => unit === "hour").length).toBeGreaterThan(4);
  });

  it("are on whole minutes, since seconds are not shown", () => {
    const from = Date.UTC(2026, 10, 22, 10, 54, 11);
    const ticks = timeTicks({ min: from, max: from + 180_000 }, 6);
    expect(ticks.map(({ time }) => new Date(time).toISOString().slice(11, 16))).toEqual(["10:55", "10:56", "10:57"]);
  });

  it("have more than one tick where the calendar has another, as for a year at a phone's width", () => {
    const from = Date.UTC(2025, 10, 22);
    expect(timeTicks({ min: from, max: from + 365 * day }, 2).length).toBeGreaterThan(1);
  });

  it("terminate for any length of time, from a minute to a century", () => {
    fc.assert(
      fc.property(fc.integer({ min: 60_000, max: 36_500 * day }), fc.integer({ min: 2, max: 12 }), (length, most) => {
        expect(timeTicks({ min: start, max: start + length }, most).length).toBeLessThanOrEqual(most * 2 + 10);
      }),
    );
  });
});

describe("the cursor", () => {
  const columns = columnsOf([line(["1", "2", null, "4"])], []);

  it("is at the nearest time", () => {
    expect(nearestColumn(columns, start - day)).toBe(0);
    expect(nearestColumn(columns, start + 1.4 * day)).toBe(1);
    expect(nearestColumn(columns, start + 1.6 * day)).toBe(2);
    expect(nearestColumn(columns, start + 99 * day)).toBe(3);
  });

  it("moves with the keys and stops at both ends", () => {
    expect(movedCursor("ArrowLeft", null, 40)).toBe(39);
    expect(movedCursor("ArrowLeft", 39, 40)).toBe(38);
    expect(movedCursor("ArrowRight", 39, 40)).toBe(39);
    expect(movedCursor("PageUp", 20, 40)).toBe(16);
    expect(movedCursor("PageDown", 38, 40)).toBe(39);
    expect(movedCursor("Home", 20, 40)).toBe(0);
    expect(movedCursor("End", null, 40)).toBe(39);
    expect(movedCursor("Tab", 20, 40)).toBeNull();
  });
});
