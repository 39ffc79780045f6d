import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { divideRounded, meansAll, type Rounding, roundDecimal, shownSign } from "../src/maths/rounding.ts";
import { formatUnits, parseUnits } from "../src/maths/units.ts";

const value = fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n });
const divisor = fc.bigInt({ min: 1n, max: 10n ** 24n });
const rounding = fc.constantFrom<Rounding>("half-even", "down", "up");
const digits = fc.integer({ min: 0, max: 18 });
const size = (number: bigint) => (number < 0n ? -number : number);

describe("rounding", () => {
  it("rounds half to the even digit, down towards zero, up away from it", () => {
    expect(["0.005", "0.015", "0.025", "-0.015"].map((text) => roundDecimal(text, 2, "half-even"))).toEqual([
      "0.00",
      "0.02",
      "0.02",
      "-0.02",
    ]);
    expect(roundDecimal("999.999999", 2, "down")).toBe("999.99");
    expect(roundDecimal("-0.999999", 2, "down")).toBe("-0.99");
    expect(roundDecimal("0.000001", 2, "up")).toBe("0.01");
  });

  it("shows a first deposit of 1,000 that is worth one unit less as 1,000.00", () => {
    expect(roundDecimal("999.999999", 2, "half-even")).toBe("1000.00");
    expect(shownSign("-0.000001", 2, "half-even")).toBe(0);
  });

  it("is off by less than one, and to half-even by no more than a half", () => {
    fc.assert(
      fc.property(value, divisor, rounding, (number, by, how) => {
        const off = divideRounded(number, by, how) * by - number;
        expect(size(off) < by).toBe(true);
        if (how === "half-even") expect(size(off) * 2n <= by).toBe(true);
        if (how === "down") expect(size(number + off) <= size(number)).toBe(true);
        if (how === "up") expect(size(number + off) >= size(number)).toBe(true);
      }),
    );
  });

  it("is the same for a loss as for a gain of the same size", () => {
    fc.assert(
      fc.property(value, divisor, rounding, (number, by, how) => {
        expect(divideRounded(-number, by, how)).toBe(-divideRounded(number, by, how));
      }),
    );
  });

  it("keeps the order of figures, and what has no more digits than are shown", () => {
    fc.assert(
      fc.property(value, value, digits, rounding, (a, b, places, how) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const shown = (number: bigint) => parseUnits(roundDecimal(formatUnits(number, 18), places, how), 18);
        expect(shown(low) <= shown(high)).toBe(true);
        expect(shown(shown(low))).toBe(shown(low));
      }),
    );
  });

  it("never shows a sign at zero", () => {
    fc.assert(
      fc.property(value, digits, rounding, (number, places, how) => {
        const text = formatUnits(number, 18);
        const shown = roundDecimal(text, places, how);
        expect(shown.startsWith("-")).toBe(shownSign(text, places, how) === -1);
      }),
    );
  });

  it("refuses what is no decimal number", () => {
    for (const text of ["", "1e6", "NaN", "1,000"]) expect(() => roundDecimal(text, 2, "down")).toThrow(RangeError);
  });
});

describe("an amount that means all", () => {
  it("is one that looks like the maximum", () => {
    expect(meansAll(1_000_000_000n, 999_999_999n, 6)).toBe(true);
    expect(meansAll(999_990_000n, 999_999_999n, 6)).toBe(true);
    expect(meansAll(999_980_000n, 999_999_999n, 6)).toBe(false);
    expect(meansAll(1_000_010_000n, 999_999_999n, 6)).toBe(false);
  });

  it("is no small part of a small maximum", () => {
    expect(meansAll(1_000n, 5_000n, 6)).toBe(false);
    expect(meansAll(5_000n, 5_000n, 6)).toBe(true);
    expect(meansAll(0n, 0n, 6)).toBe(false);
  });

  it("is never off by more than a thousandth", () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 100n });
    fc.assert(
      fc.property(amount, amount, digits, (asked, max, decimals) => {
        if (meansAll(asked, max, decimals)) expect(size(asked - max) * 1_000n <= max).toBe(true);
      }),
    );
    fc.assert(fc.property(amount, digits, (max, decimals) => meansAll(max, max, decimals) === max > 0n));
  });
});
