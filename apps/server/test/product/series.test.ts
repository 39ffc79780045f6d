import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { daysAndWeeks } from "../../src/product/series.ts";

const DAY = 86_400;
const now = 1_800_000_123;
const ago = fc.integer({ min: 1, max: 20 * 365 * DAY });

describe("the points of a series of flows", () => {
  it("form weeks of seven days back from now, for a product of any age", () => {
    fc.assert(
      fc.property(ago, (age) => {
        const moments = daysAndWeeks(now - age, now);
        expect([moments[0], moments.at(-1)]).toEqual([now - age, now]);
        for (let end = now; end > now - age; end -= 7 * DAY) expect(moments).toContain(end);
        const steps = moments.slice(2).map((time, index) => time - (moments[index + 1] ?? 0));
        expect(steps.every((step) => step === DAY || step === 7 * DAY)).toBe(true);
      }),
    );
  });

  it("are days for more than a year, and few enough to be sent", () => {
    const moments = daysAndWeeks(now - 20 * 365 * DAY, now);
    expect(moments.filter((time) => time > now - 366 * DAY)).toHaveLength(366);
    expect(moments.length).toBeLessThan(1_400);
  });

  it("start with one at the product's beginning", () => {
    expect(daysAndWeeks(now, now)).toEqual([now]);
    expect(daysAndWeeks(now + 1, now)).toEqual([]);
  });
});
