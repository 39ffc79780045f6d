import { parseUnits } from "@aqua/sdk/maths/units";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumAmounts } from "../../src/features/decimal.ts";
import {
  compareAmounts,
  daysOf,
  dueWithin,
  weeklyFlows,
  weeksCovered,
} from "../../src/features/products/liquidity-figures.ts";
import { performanceJson, reportsCsv, seriesCsv } from "../../src/features/products/performance-export.ts";
import { growthOf, trailingApy } from "../../src/features/products/performance-figures.ts";
import { demandLiquidity, demandPerformance, timeLiquidity } from "./fixtures.ts";

const day = 86_400_000;
const point = (index: number, price: string | null) => ({
  time: index * day,
  tvl: "1",
  share_price: price,
  gross_price: price,
  rate: null,
  coverage: null,
});

describe("growth of 1,000", () => {
  it("starts at exactly 1,000, rounds down and keeps gaps", () => {
    const series = [point(0, null), point(1, "1.1"), point(2, null), point(3, "1.2")];
    expect(growthOf({ series, price: "share_price", amount: 1000n }).map(({ value }) => value)).toEqual([
      null,
      "1000.00",
      null,
      "1090.90",
    ]);
  });

  it("never exceeds what the prices give", () => {
    const price = fc.bigInt({ min: 1n, max: 10n ** 24n });
    fc.assert(
      fc.property(fc.array(price, { minLength: 1, maxLength: 20 }), (prices) => {
        const text = (units: bigint) => `${units / 10n ** 18n}.${(units % 10n ** 18n).toString().padStart(18, "0")}`;
        const grown = growthOf({
          series: prices.map((units, index) => point(index, text(units))),
          price: "share_price",
          amount: 1000n,
        });
        const first = prices[0] as bigint;
        grown.forEach(({ value }, index) => {
          const cents = parseUnits(value as string, 2);
          const exact = 100_000n * (prices[index] as bigint);
          expect(cents * first <= exact && (cents + 1n) * first > exact).toBe(true);
        });
      }),
    );
  });
});

describe("APY over time", () => {
  it("is unknown until the history covers the window, then uses the actual time in between", () => {
    const series = Array.from({ length: 41 }, (_, index) => point(index, (1 + index * 0.001).toFixed(6)));
    const apy = trailingApy(series, series, 30);
    expect(apy.slice(0, 30).every(({ value }) => value === null)).toBe(true);
    expect(Number(apy[30]?.value)).toBeCloseTo((1.03 / 1) ** (365 / 30) - 1, 5);
    expect(Number(apy[40]?.value)).toBeCloseTo((1.04 / 1.01) ** (365 / 30) - 1, 5);
  });

  it("measures from an observation before the range, when the range itself is shorter than the window", () => {
    const past = Array.from({ length: 21 }, (_, index) => point(index * 5, (1 + index * 0.01).toFixed(6)));
    const [shown] = trailingApy([point(98, "1.196")], past, 30);
    // 98 − 30 = 68: the last observation before that is of day 65, which is 33 days earlier.
    expect(Number(shown?.value)).toBeCloseTo((1.196 / 1.13) ** (365 / 33) - 1, 5);
  });

  it("is unknown where one of its two prices is", () => {
    const series = [point(0, null), point(31, "1.1"), point(62, null)];
    expect(trailingApy(series, series, 30).map(({ value }) => value)).toEqual([null, null, null]);
  });
});

describe("an export", () => {
  it("contains every digit of the API, and nothing for unknown values", () => {
    const performance = demandPerformance();
    const rows = seriesCsv(performance).split("\r\n");
    expect(rows[0]).toBe("\ufefftime_utc,time_ms,tvl,share_price,gross_price,rate,coverage");
    expect(rows).toHaveLength(performance.series.length + 2);
    const known = performance.series[10];
    expect(rows[11]).toContain(`,${known?.tvl},${known?.share_price},${known?.gross_price},,`);
    expect(rows[61]).toMatch(/,\d+\.\d{6},,,,$/);
    expect(reportsCsv(performance)).toContain(",-3120.250001,0.000000,");
    expect(JSON.parse(performanceJson(performance, "90d", "tUSD"))).toEqual({
      range: "90d",
      unit: "tUSD",
      ...performance,
    });
  });
});

describe("liquidity by week and range", () => {
  it("includes every unit of deposits and withdrawals", () => {
    const { history } = demandLiquidity();
    const weeks = weeklyFlows(history, "all");
    expect(sumAmounts(weeks.map((week) => week.deposits))).toBe(sumAmounts(history.map((entry) => entry.deposits)));
    expect(sumAmounts(weeks.map((week) => week.withdrawals))).toBe(
      sumAmounts(history.map((entry) => entry.withdrawals)),
    );
    const steps = weeks.slice(1).map((week, index) => week.time - (weeks[index]?.time ?? 0));
    expect(new Set(steps)).toEqual(new Set([7 * day]));
  });

  it("begins a week seven days before the end of its last day", () => {
    const { history, as_of } = demandLiquidity();
    expect(weeklyFlows(history, "all").at(-1)?.time).toBe(as_of.time - 7 * day);
  });

  it("has whole weeks only, as many as the range touches", () => {
    const { history } = demandLiquidity();
    const all = weeklyFlows(history, "all");
    for (const [range, count] of [
      ["7d", 1],
      ["30d", 5],
      ["90d", 13],
    ] as const)
      expect(weeklyFlows(history, range), range).toEqual(all.slice(-count));
  });

  it("keeps the days of a range", () => {
    const { history, as_of } = demandLiquidity();
    expect(daysOf(history, "7d", as_of.time)).toHaveLength(8);
    expect(daysOf(history, "all", as_of.time)).toHaveLength(history.length);
  });

  it("shows until when the cash covers maturities", () => {
    const { weeks } = timeLiquidity();
    expect(dueWithin(weeks, 4)).toBe("39000.000000");
    // 0, 6 500, 13 000, 19 500 = 39 000 in four weeks, 45 500 with the sixth.
    expect(weeksCovered(weeks, "40000.000000")).toEqual({ weeks: 5, all: false });
    expect(weeksCovered(weeks, "38999.999999")).toEqual({ weeks: 3, all: false });
    expect(weeksCovered(weeks, "1000000")).toEqual({ weeks: 12, all: true });
  });

  it("compares amounts to the last digit", () => {
    expect(compareAmounts("0.000000000000000001", "0")).toBe(1);
    expect(compareAmounts("10", "10.000")).toBe(0);
    expect(compareAmounts("9.999999", "10")).toBe(-1);
    expect(compareAmounts("-2", "-3")).toBe(1);
  });
});
