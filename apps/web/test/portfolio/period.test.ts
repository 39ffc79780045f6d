import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { periodNames, periodOf, readPeriod, spanOf } from "../../src/features/portfolio/period.ts";

const day = 86_400_000;
const moments = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2100, 0, 1) });

describe("the period of a statement", () => {
  it("has the UTC days of its name, up to today", () => {
    const now = Date.UTC(2026, 2, 15, 12);
    expect(periodOf("thisMonth", now)).toEqual({ from: "2026-03-01", to: "2026-03-15" });
    expect(periodOf("lastMonth", now)).toEqual({ from: "2026-02-01", to: "2026-02-28" });
    expect(periodOf("thisYear", now)).toEqual({ from: "2026-01-01", to: "2026-03-15" });
    expect(periodOf("lastYear", now)).toEqual({ from: "2025-01-01", to: "2025-12-31" });
  });
  it("works across the turn of the year", () => {
    expect(periodOf("lastMonth", Date.UTC(2026, 0, 3))).toEqual({ from: "2025-12-01", to: "2025-12-31" });
  });
  it("is adjacent to the next one, without gap or overlap", () => {
    fc.assert(
      fc.property(moments, (now) => {
        const last = spanOf(periodOf("lastMonth", now), now);
        const current = spanOf(periodOf("thisMonth", now), now);
        expect(last?.to).toBe(current?.from);
        expect(spanOf(periodOf("lastYear", now), now)?.to).toBe(spanOf(periodOf("thisYear", now), now)?.from);
        expect(current && current.to > now && current.to - now <= day).toBe(true);
      }),
    );
  });
  it("includes the whole last day", () => {
    expect(spanOf({ from: "2026-03-01", to: "2026-03-01" }, Date.UTC(2026, 2, 1))).toEqual({
      from: Date.UTC(2026, 2, 1),
      to: Date.UTC(2026, 2, 2),
    });
  });
  it.each([
    ["no day", "", "2026-03-01"],
    ["a day that does not exist", "2026-02-30", "2026-03-01"],
    ["the wrong order", "2026-03-02", "2026-03-01"],
    ["words", "yesterday", "today"],
    ["days to come only", "2026-03-04", "2026-03-31"],
  ])("is invalid with %s", (_, from, to) => {
    expect(spanOf({ from, to }, Date.UTC(2026, 2, 3, 23, 59))).toBeNull();
  });
  it("is read from the address, and is this month when that has no valid one", () => {
    const now = Date.UTC(2026, 2, 15);
    for (const name of periodNames) expect(readPeriod(new URLSearchParams({ period: name }), now).name).toBe(name);
    expect(readPeriod(new URLSearchParams({ period: "forever" }), now).name).toBe("thisMonth");
    expect(readPeriod(new URLSearchParams("period=custom&from=2026-01-01&to=2026-01-31"), now).period).toEqual({
      from: "2026-01-01",
      to: "2026-01-31",
    });
  });
});
