import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accruedInterest,
  exitPayout,
  interestAtMaturity,
  maturityOf,
  quotedApy,
  type Term,
  timeUnits,
} from "../src/maths/term.ts";
import { reference } from "./termReference.ts";

const wad = 10n ** 18n;
const day = 86_400n;
const dollar = 1_000_000n;
/** 15 January 2027, 08:00. */
const start = 1_800_000_000n;

const unix = (iso: string) => BigInt(Date.parse(iso)) / 1000n;
const percent = (hundredths: bigint) => (hundredths * wad) / 10_000n;

const longest = { day: 3650, week: 520, month: 120, year: 10 };
const amount = fc.bigInt({ min: 1n, max: 2n ** 96n - 1n });
const moment = fc.bigInt({ min: 0n, max: 6_000_000_000n });
const term: fc.Arbitrary<Term> = fc
  .tuple(fc.constantFrom(...timeUnits), fc.nat(), fc.bigInt(1n, wad), fc.bigInt(0n, wad), fc.bigInt(0n, wad / 10n))
  .map(([unit, count, rate, broken, penalty]) => ({
    count: 1 + (count % longest[unit]),
    unit,
    rate,
    breakRate: broken % rate,
    penalty,
  }));

describe("a term's end", () => {
  it("is the same day of the month, clamped to its end", () => {
    const cases: [string, number, Term["unit"], string][] = [
      ["2027-01-31T12:34:56Z", 1, "month", "2027-02-28T12:34:56Z"],
      ["2028-01-31T12:34:56Z", 1, "month", "2028-02-29T12:34:56Z"],
      ["2028-02-29T00:00:00Z", 1, "year", "2029-02-28T00:00:00Z"],
      ["2028-02-29T23:59:59Z", 4, "year", "2032-02-29T23:59:59Z"],
      ["2096-02-29T00:00:00Z", 4, "year", "2100-02-28T00:00:00Z"],
      ["2027-12-31T08:00:00Z", 2, "month", "2028-02-29T08:00:00Z"],
      ["2027-02-28T08:00:00Z", 1, "month", "2027-03-28T08:00:00Z"],
      ["2027-03-28T01:30:00Z", 1, "week", "2027-04-04T01:30:00Z"],
      ["2027-10-31T00:30:00Z", 1, "day", "2027-11-01T00:30:00Z"],
    ];
    for (const [from, count, unit, to] of cases) expect(maturityOf(unix(from), { count, unit })).toBe(unix(to));
  });

  it("agrees with JavaScript's own calendar", () => {
    fc.assert(
      fc.property(moment, term, (openedAt, t) => maturityOf(openedAt, t) === reference.maturity(openedAt, t)),
      { numRuns: 2_000 },
    );
  });
});

describe("the example of the product model", () => {
  const quarter: Term = { count: 90, unit: "day", rate: percent(600n), breakRate: percent(200n), penalty: 0n };
  const principal = 1_000n * dollar;

  it("earns 14.7945 on 1 000 at 6 % for 90 days, an APY of 6.137 %", () => {
    const interest = interestAtMaturity(principal, quarter, start);
    expect(interest).toBe(14_794_520n);
    expect(quotedApy({ principal, interest, openedAt: start, maturity: start + 90n * day })).toBe("0.061370");
  });

  it("pays 1 001.64 on day 30 at a break rate of 2 %, against 4.93 accrued", () => {
    const at = start + 30n * day;
    expect(exitPayout({ principal, term: quarter, openedAt: start, at })).toBe(1_001_643_835n);
    expect(accruedInterest({ principal, term: quarter, openedAt: start, at })).toBe(4_931_506n);
  });
});

describe("interest and payouts", () => {
  it("are the exact quotients, rounded for the product", () => {
    fc.assert(
      fc.property(amount, term, moment, fc.bigInt({ min: 0n, max: 400_000_000n }), (principal, t, openedAt, held) => {
        const at = openedAt + held;
        const maturity = maturityOf(openedAt, t);
        expect(interestAtMaturity(principal, t, openedAt)).toBe(
          reference.interest(principal, t.rate, maturity - openedAt),
        );
        expect(exitPayout({ principal, term: t, openedAt, at })).toBe(reference.payout(principal, t, openedAt, at));
      }),
    );
  });

  it("grow from zero to the interest at maturity and stay there", () => {
    fc.assert(
      fc.property(amount, term, moment, fc.bigInt({ min: 0n, max: 400_000_000n }), (principal, t, openedAt, held) => {
        const full = interestAtMaturity(principal, t, openedAt);
        const maturity = maturityOf(openedAt, t);
        const now = accruedInterest({ principal, term: t, openedAt, at: openedAt + held });
        expect(accruedInterest({ principal, term: t, openedAt, at: openedAt - 1n })).toBe(0n);
        expect(accruedInterest({ principal, term: t, openedAt, at: maturity })).toBe(full);
        expect(accruedInterest({ principal, term: t, openedAt, at: maturity + held })).toBe(full);
        expect(now <= full && accruedInterest({ principal, term: t, openedAt, at: openedAt + held + 1n }) >= now).toBe(
          true,
        );
      }),
    );
  });

  it("cost no more of the principal than the penalty, and never pay more than at maturity", () => {
    fc.assert(
      fc.property(amount, term, moment, fc.bigInt({ min: 0n, max: 400_000_000n }), (principal, t, openedAt, held) => {
        const payout = exitPayout({ principal, term: t, openedAt, at: openedAt + held });
        expect(payout <= principal + interestAtMaturity(principal, t, openedAt)).toBe(true);
        expect((principal - payout - 1n) * wad < principal * t.penalty).toBe(true);
      }),
    );
  });

  it("are refused for a time before the opening", () => {
    const week: Term = { count: 1, unit: "week", rate: wad, breakRate: 0n, penalty: 0n };
    expect(() => exitPayout({ principal: 1n, term: week, openedAt: start, at: start - 1n })).toThrow(RangeError);
  });
});

describe("quoted APY", () => {
  it("is the rate itself over 365 days, and null where it cannot be computed", () => {
    expect(
      quotedApy({ principal: 100n * dollar, interest: 8n * dollar, openedAt: start, maturity: start + 365n * day }),
    ).toBe("0.080000");
    expect(quotedApy({ principal: 0n, interest: 0n, openedAt: start, maturity: start + day })).toBeNull();
    expect(quotedApy({ principal: 1n, interest: 1n, openedAt: start, maturity: start })).toBeNull();
    expect(quotedApy({ principal: 1n, interest: 1_000n, openedAt: start, maturity: start + 1n })).toBeNull();
  });
});

/** Deposits of all kinds, deterministic; test/fuzz/TermVectors.t.sol checks them against the contract. */
function vectors(): string[] {
  let state = 0x617175n;
  const next = (below: bigint) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
    return (state >> 11n) % below;
  };
  const edges = ["2028-01-31T12:34:56Z", "2028-02-29T00:00:00Z", "2031-12-31T23:59:59Z", "2027-01-30T00:00:01Z"];
  return Array.from({ length: 160 }, (_, i) => {
    const edge = edges[i];
    const openedAt = edge ? unix(edge) : start + next(280_000_000n);
    const unit = edge ? "month" : (timeUnits[i % 4] ?? "day");
    const rate = 1n + next(wad);
    const t: Term = {
      count: edge ? 1 : 1 + Number(next(BigInt(longest[unit]))),
      unit,
      rate,
      breakRate: next(rate),
      penalty: i % 3 === 0 ? 0n : next(wad / 10n),
    };
    const principal = 1n + next(10n ** (1n + next(28n)));
    const maturity = reference.maturity(openedAt, t);
    const at = openedAt + next(((maturity - openedAt) * 5n) / 4n);
    const interest = reference.interest(principal, t.rate, maturity - openedAt);
    const row = [openedAt, BigInt(t.count), BigInt(timeUnits.indexOf(unit)), rate, t.breakRate, t.penalty];
    return [...row, principal, at, maturity, interest, reference.payout(principal, t, openedAt, at)].join(",");
  });
}

describe("the test deposits shared with the contract", () => {
  const rows = vectors();

  it("have these results here, exactly", () => {
    for (const row of rows) {
      const [openedAt, count, unit, rate, breakRate, penalty, principal, at, ...expected] = row
        .split(",")
        .map(BigInt) as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint, ...bigint[]];
      const t: Term = { count: Number(count), unit: timeUnits[Number(unit)] ?? "day", rate, breakRate, penalty };
      expect([
        maturityOf(openedAt, t),
        interestAtMaturity(principal, t, openedAt),
        exitPayout({ principal, term: t, openedAt, at }),
      ]).toEqual(expected);
    }
  });

  it("are those in the file that the contract's test reads", async () => {
    const file = fileURLToPath(new URL("../../../contracts/test/vectors/term.csv", import.meta.url));
    await expect(`${rows.join("\n")}\n`).toMatchFileSnapshot(file);
  });
});
