import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatRate, formatUnits, mulDivCeil, mulDivFloor, parseUnits, rescale } from "../src/maths/units.ts";

const decimals = fc.integer({ min: 0, max: 18 });
const amount = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n });

describe("units", () => {
  it("format whole units with every decimal", () => {
    expect(formatUnits(1_250_500_000n, 6)).toBe("1250.500000");
    expect(formatUnits(-1n, 6)).toBe("-0.000001");
    expect(formatUnits(7n, 0)).toBe("7");
  });

  it("parse any amount they have formatted", () => {
    fc.assert(
      fc.property(amount, decimals, (value, places) => parseUnits(formatUnits(value, places), places) === value),
    );
  });

  it.each(["", ".", "1e6", "1,000", "0x10", " 1", "1.2.3", "+1", "NaN"])("refuse %j", (text) => {
    expect(() => parseUnits(text, 6)).toThrow(RangeError);
  });

  it("refuse to round off what a user typed", () => {
    expect(() => parseUnits("1.0000001", 6)).toThrow(RangeError);
    expect(parseUnits("1.0000000", 6)).toBe(1_000_000n);
  });

  it("rescale exactly to a finer unit, and refuse a coarser one", () => {
    expect(rescale(-1_500_000n, 6, 18)).toBe(-1_500_000_000_000_000_000n);
    expect(rescale(7n, 6, 6)).toBe(7n);
    expect(() => rescale(1n, 18, 6)).toThrow(RangeError);
  });

  it("enclose the exact quotient between floor and ceiling", () => {
    const natural = fc.bigInt({ min: 0n, max: 2n ** 128n });
    fc.assert(
      fc.property(natural, natural, fc.bigInt({ min: 1n, max: 2n ** 128n }), (a, b, d) => {
        const floor = mulDivFloor(a, b, d);
        const ceil = mulDivCeil(a, b, d);
        return (
          floor * d <= a * b && a * b <= ceil * d && ceil - floor <= 1n && (ceil === floor) === ((a * b) % d === 0n)
        );
      }),
    );
  });

  it("never format a negative zero or a non-finite number", () => {
    expect(formatRate(-0.0000001)).toBe("0.000000");
    expect(formatRate(-0.05)).toBe("-0.050000");
    expect(formatRate(Number.NaN)).toBeNull();
    expect(formatRate(Number.POSITIVE_INFINITY)).toBeNull();
  });
});
