import { expect, it } from "vitest";
import { monthsOf } from "../../src/product/incomeMonths.ts";

const at = (date: string) => Date.parse(`${date}T12:00:00Z`) / 1_000;

it("monthsOf sums each of the last twelve months including losses and the current month so far", () => {
  const amounts = [
    { time: at("2026-01-05"), units: 5_000_000n },
    { time: at("2026-01-31"), units: -1_000_000n },
    { time: at("2026-02-01"), units: 250_000n },
    { time: at("2025-02-27"), units: 7n },
  ];
  const months = monthsOf(amounts, { inception: at("2024-01-01"), now: at("2026-02-10"), decimals: 6 });
  expect(months).toHaveLength(12);
  expect(months[0]).toEqual({ start: Date.UTC(2025, 2), amount: "0.000000" });
  expect(months.slice(-2)).toEqual([
    { start: Date.UTC(2026, 0), amount: "4.000000" },
    { start: Date.UTC(2026, 1), amount: "0.250000" },
  ]);
});

it("monthsOf begins with the month in which the product began", () => {
  const months = monthsOf([], { inception: at("2025-12-31"), now: at("2026-02-10"), decimals: 6 });
  expect(months.map(({ start }) => start)).toEqual([Date.UTC(2025, 11), Date.UTC(2026, 0), Date.UTC(2026, 1)]);
});
