import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apyBetween, maxDrawdown } from "../src/maths/apy.ts";
import { xirr } from "../src/maths/xirr.ts";

const day = 86_400n;
const one = 10n ** 18n;

describe("APY", () => {
  it("compounds a window's growth to a year", () => {
    // 0.5 % in 30 days: 1.005^(365/30) − 1 = 6.2561 %.
    expect(apyBetween({ time: 0n, price: one }, { time: 30n * day, price: (one * 1005n) / 1000n })).toEqual({
      value: "0.062561",
      annualised: true,
    });
  });

  it("is the raw return, marked as such, under seven days", () => {
    expect(apyBetween({ time: 0n, price: one }, { time: 6n * day, price: (one * 101n) / 100n })).toEqual({
      value: "0.010000",
      annualised: false,
    });
  });

  it("is null, never Infinity or NaN, where nothing can be measured", () => {
    expect(apyBetween({ time: 5n, price: one }, { time: 5n, price: one }).value).toBeNull();
    expect(apyBetween({ time: 0n, price: 0n }, { time: day, price: one }).value).toBeNull();
  });

  it("is always a plain decimal or null", () => {
    const price = fc.bigInt({ min: 0n, max: 10n ** 24n });
    fc.assert(
      fc.property(price, price, fc.bigInt({ min: 0n, max: 1_000n * day }), (then, now, elapsed) => {
        const { value } = apyBetween({ time: 0n, price: then }, { time: elapsed, price: now });
        return value === null || /^-?\d+\.\d{6}$/.test(value);
      }),
    );
  });
});

describe("maximum drawdown", () => {
  it("is the largest fall from any earlier peak", () => {
    expect(maxDrawdown([100n, 120n, 90n, 130n, 117n])).toEqual({ fall: "0.250000", peak: 1, low: 2 });
    // Of equal peaks, the last one.
    expect(maxDrawdown([120n, 100n, 120n, 90n])).toEqual({ fall: "0.250000", peak: 2, low: 3 });
  });

  it("is zero for a price that never falls, or that is unknown", () => {
    for (const prices of [[1n, 2n, 2n, 3n], []])
      expect(maxDrawdown(prices)).toEqual({ fall: "0.000000", peak: 0, low: 0 });
  });

  it("is never rounded to zero for a real loss", () => {
    expect(maxDrawdown([10n ** 18n, 10n ** 18n - 1n]).fall).toBe("0.000001");
  });
});

describe("money-weighted return", () => {
  it("is the rate at which the flows' present value is zero", () => {
    expect(
      xirr([
        { time: 0n, amount: -1000n },
        { time: 365n * day, amount: 1100n },
      ]),
    ).toBe("0.100000");
    expect(
      xirr([
        { time: 0n, amount: -1000n },
        { time: 365n * day, amount: 900n },
      ]),
    ).toBe("-0.100000");
  });

  it.each([
    ["no flow at all", []],
    [
      "money in only",
      [
        { time: 0n, amount: -5n },
        { time: 40n * day, amount: -5n },
      ],
    ],
    [
      "less than a week",
      [
        { time: 0n, amount: -5n },
        { time: 6n * day, amount: 6n },
      ],
    ],
  ])("is null with %s", (_, flows) => {
    expect(xirr(flows)).toBeNull();
  });

  it("equals the rate at which a single deposit grew", () => {
    fc.assert(
      fc.property(fc.integer({ min: -80, max: 900 }), fc.integer({ min: 30, max: 2_000 }), (percent, days) => {
        const paid = 10n ** 15n;
        const worth = BigInt(Math.round(Number(paid) * (1 + percent / 100) ** (days / 365)));
        const found = xirr([
          { time: 0n, amount: -paid },
          { time: BigInt(days) * day, amount: worth },
        ]);
        expect(Number(found)).toBeCloseTo(percent / 100, 4);
      }),
    );
  });
});
