import fc from "fast-check";
import { expect, it } from "vitest";
import { figureOf, stepsOf } from "../src/telemetry/figure.ts";

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const exponent = fc.integer({ min: -18, max: 18 });

it("a figure is the value times ten to its exponent, exactly", () => {
  expect(figureOf(1_234n, -2)).toBe("12.34");
  expect(figureOf(-5n, -3)).toBe("-0.005");
  expect(figureOf(12n, 3)).toBe("12000");
  expect(figureOf(0n, 0)).toBe("0");
});

it("a figure converts back to its value", () => {
  fc.assert(fc.property(int64, exponent, (value, power) => stepsOf(figureOf(value, power), power) === value));
});

it("a figure between two steps is refused instead of rounded", () => {
  expect(() => stepsOf("0.005", -2)).toThrow(RangeError);
  expect(() => stepsOf("1500", 3)).toThrow(RangeError);
  expect(() => stepsOf("about 5", 0)).toThrow(RangeError);
  expect(stepsOf("0.50", -1)).toBe(5n);
  expect(stepsOf("15000", 3)).toBe(15n);
});
