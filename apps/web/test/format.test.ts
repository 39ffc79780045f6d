import { type Rounding, roundDecimal } from "@aqua/sdk/maths/rounding";
import { formatUnits } from "@aqua/sdk/maths/units";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isZero, shareOf, sumAmounts } from "../src/features/decimal.ts";
import {
  formatAmount,
  formatCount,
  formatDuration,
  formatRate,
  formatRelative,
  formatTerm,
  shortenAddress,
} from "../src/i18n/format.ts";

describe("amounts", () => {
  it("shows an amount of an asset without decimals whole, whatever digits are wanted at least", () => {
    expect(formatAmount("12", { digits: 0, minDigits: 2 })).toBe("12");
  });

  it("keep digits that a float would lose", () => {
    expect(formatAmount("9007199254740993.123456", { digits: 6 })).toBe("9,007,199,254,740,993.123456");
  });
  it("are rounded half to even as values, down as what is owed, up as costs", () => {
    expect(formatAmount("999.999999")).toBe("1,000.00");
    expect(formatAmount("0.125")).toBe("0.12");
    expect(formatAmount("-0.999999")).toBe("−1.00");
    expect(formatAmount("999.999999", { rounding: "down" })).toBe("999.99");
    expect(formatAmount("0.000001", { rounding: "up" })).toBe("0.01");
    expect(formatAmount("1999", { rounding: "down", compact: true, digits: 0 })).toBe("1K");
  });
  it("are rounded as the shared maths round them", () => {
    const modes = fc.constantFrom<Rounding>("half-even", "down", "up");
    const digits = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 24n), 10n ** 24n), digits, modes, (value, shown, rounding) => {
        const text = formatUnits(value, 9);
        const figure = formatAmount(text, { digits: shown, rounding }).replaceAll(",", "");
        expect(figure).toBe(roundDecimal(text, shown, rounding).replace("-", "−"));
      }),
    );
  });
  it("have no sign when a loss is displayed as zero", () => {
    expect(formatAmount("-0.004")).toBe("0.00");
    expect(formatAmount("-0.01")).toBe("−0.01");
    expect(formatRate("-0.00001")).toBe("0.00%");
    expect(formatRate("-0.0001")).toBe("−0.01%");
  });
  it("show unknown as a dash and zero as zero", () => {
    expect(formatAmount(null)).toBe("—");
    expect(formatAmount(undefined)).toBe("—");
    expect(formatAmount("0")).toBe("0.00");
    expect(formatRate(null)).toBe("—");
    expect(formatCount(null)).toBe("—");
  });
  it("show the sign of gains on request", () => {
    expect(formatAmount("1.5", { signed: true })).toBe("+1.50");
    expect(formatAmount("0", { signed: true })).toBe("0.00");
  });
  it("are abbreviated in narrow spaces", () => {
    expect(formatAmount("1204450.12", { compact: true, digits: 1 })).toBe("1.2M");
  });
});

describe("rates and times", () => {
  it("format a fraction as per cent", () => {
    expect(formatRate("0.0525")).toBe("5.25%");
    expect(formatRate("-0.0004", { signed: true })).toBe("−0.04%");
  });
  it("use the largest unit of a duration", () => {
    expect(formatRelative(0, 7_200_000)).toBe("2 hr. ago");
    expect(formatRelative(null)).toBe("—");
    expect(formatDuration(3 * 86_400_000)).toBe("3 days");
  });
  it("format a term, with the singular for one", () => {
    expect(formatTerm({ value: 1, unit: "year" })).toBe("1 year");
    expect(formatTerm({ value: 3, unit: "month" })).toBe("3 months");
  });
});

describe("addresses", () => {
  it("show 5 leading and 4 trailing characters", () => {
    expect(shortenAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")).toBe("0x709…79C8");
  });
});

describe("decimal sums", () => {
  it("are exact and keep the longest fraction", () => {
    expect(sumAmounts(["0.1", "0.2", "0.300000"])).toBe("0.600000");
    expect(sumAmounts([])).toBe("0");
    expect(sumAmounts(["9007199254740993.000001", "-1.000001"])).toBe("9007199254740992.000000");
  });
  it("recognise zero in any form and never divide by it", () => {
    expect(isZero("-0.000")).toBe(true);
    expect(isZero("0.001")).toBe(false);
    expect(shareOf("1", "0.00")).toBeNull();
    expect(shareOf("3", "2")).toBe(1);
  });
});
