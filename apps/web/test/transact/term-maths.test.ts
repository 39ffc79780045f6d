import { exitPayout, interestAtMaturity, maturityOf, type Term, timeUnits } from "@aqua/sdk/maths/term";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  capRoom,
  cashForClose,
  cashForExit,
  daysOf,
  exitAt,
  exitOnDay,
  fundedRoom,
  openingAt,
  rollingAt,
  rollLimit,
} from "../../src/features/transact/term/term-maths.ts";
import { aReceipt, aTermPosition, at, quarter } from "./time-product.ts";

const thousand = 1_000_000_000n;
const wad = 10n ** 18n;
const day = 86_400n;

test("1 000 for 90 days at 6 % earn 14.794520, an APY of 6.137 %, and an exit on day 30 pays 1 001.643835", () => {
  const opening = openingAt(thousand, quarter, at);
  expect(opening.interest).toBe(14_794_520n);
  expect(opening.apy?.slice(0, 6)).toBe("0.0613");
  expect(opening.maturity).toBe(at + 90n * day);
  expect(exitOnDay({ principal: thousand, term: quarter, openedAt: at, number: 30 })).toEqual({
    at: at + 30n * day,
    payout: 1_001_643_835n,
    interest: 1_643_835n,
    penalty: 0n,
  });
  expect(daysOf(at, quarter)).toBe(90);
});

const terms: fc.Arbitrary<Term> = fc
  .record({
    count: fc.integer({ min: 1, max: 36 }),
    unit: fc.constantFrom(...timeUnits.slice(0, 3)),
    rate: fc.bigInt(2n, wad),
    penalty: fc.bigInt(0n, wad / 10n),
  })
  .map((term) => ({ ...term, breakRate: term.rate / 2n }));
const openings = fc.bigInt(1_700_000_000n, 2_000_000_000n);
const principals = fc.bigInt(1n, 10n ** 20n);

test("every day of the slider equals the contract's payout, and its parts add up", () => {
  fc.assert(
    fc.property(terms, openings, principals, fc.nat(1_000), (term, openedAt, principal, part) => {
      const number = Math.floor((daysOf(openedAt, term) * part) / 1_000);
      const exit = exitOnDay({ principal, term, openedAt, number });
      expect(exit.payout).toBe(exitPayout({ principal, term, openedAt, at: exit.at }));
      expect(exit.payout).toBe(principal - exit.penalty + exit.interest);
      expect(exit.at).toBeLessThanOrEqual(maturityOf(openedAt, term));
    }),
  );
});

test("each day of each term of 1 to 730 days is shown with the contract's payout", () => {
  const opening = { principal: 1_234_567_891n, openedAt: at };
  for (let count = 1; count <= 730; count++) {
    const term: Term = { count, unit: "day", rate: wad, breakRate: wad - 1n, penalty: wad / 10n };
    for (let number = 0; number <= count; number++) {
      const payout = exitPayout({ ...opening, term, at: at + BigInt(number) * day });
      if (exitOnDay({ ...opening, term, number }).payout !== payout) expect.fail(`day ${number} of ${count}`);
    }
  }
});

test("the last day of the slider is maturity with all of the interest, and payouts never decrease", () => {
  fc.assert(
    fc.property(terms, openings, principals, (term, openedAt, principal) => {
      const last = daysOf(openedAt, term);
      const { payout, penalty } = exitOnDay({ principal, term, openedAt, number: last });
      expect(payout).toBe(principal + interestAtMaturity(principal, term, openedAt));
      expect(penalty).toBe(0n);
      expect(exitOnDay({ principal, term, openedAt, number: last - 1 }).payout).toBeLessThanOrEqual(payout);
      const early = exitAt({ principal, term, openedAt, at: openedAt + 1n }).payout;
      expect(exitAt({ principal, term, openedAt, at: openedAt }).payout).toBeLessThanOrEqual(early);
    }),
  );
});

/** In the last hour of a UTC day near the end of a month, where a later opening may mature earlier. */
const lateHours = fc
  .record({ month: fc.nat(119), day: fc.integer({ min: 26, max: 32 }), before: fc.integer({ min: 1, max: 3_600 }) })
  .map(({ month, day, before }) => BigInt(Date.UTC(2024, month, day) / 1_000 - before));

test("a deposit mined within the hour never matures later than allowed", () => {
  fc.assert(
    fc.property(terms, fc.oneof(openings, lateHours), fc.bigInt(0n, 3_600n), (term, openedAt, late) => {
      const { latestMaturity, maturity } = openingAt(1n, term, openedAt);
      expect(maturityOf(openedAt + late, term)).toBeLessThanOrEqual(latestMaturity);
      // From 28 February and from 1 March, a month leads to 28 March and to 1 April.
      expect(latestMaturity - maturity).toBeLessThanOrEqual(3n * day + 3_600n);
    }),
    { numRuns: 1_000 },
  );
});

test("a deposit mined within the hour never earns less than the shown minimum", () => {
  fc.assert(
    fc.property(
      terms,
      fc.oneof(openings, lateHours),
      principals,
      fc.bigInt(0n, 3_600n),
      (term, openedAt, principal, late) => {
        const { interest, minInterest } = openingAt(principal, term, openedAt);
        expect(interestAtMaturity(principal, term, openedAt + late)).toBeGreaterThanOrEqual(minInterest);
        expect(interest).toBeGreaterThanOrEqual(minInterest);
      },
    ),
    { numRuns: 1_000 },
  );
});

test.each([
  // 29 January 00:30 leads to 28 February 00:30.
  ["2027-01-28T23:30:00Z", 1, "month", "2027-02-28T23:59:59Z", 30],
  // 29 February 00:30 leads to 28 February 00:30 of the next year.
  ["2028-02-28T23:30:00Z", 1, "year", "2029-02-28T23:59:59Z", 365],
  ["2027-01-28T12:00:00Z", 1, "month", "2027-02-28T13:00:00Z", 31],
  // 1 March 00:30 leads to 1 April 00:30.
  ["2027-02-28T23:30:00Z", 1, "month", "2027-04-01T00:30:00Z", 28],
] as const)("opened at %s for %i %s, it matures until %s and earns %i days at least", (...row) => {
  const [opened, count, unit, latest, days] = row;
  const term: Term = { count, unit, rate: wad / 10n, breakRate: 0n, penalty: 0n };
  const opening = openingAt(thousand, term, BigInt(Date.parse(opened) / 1_000));
  expect(opening.latestMaturity).toBe(BigInt(Date.parse(latest) / 1_000));
  expect(opening.minInterest).toBe((thousand * BigInt(days)) / 3_650n);
});

test("the maximum is funded to the last unit, and one unit more is not", () => {
  fc.assert(
    fc.property(terms, openings, fc.bigInt(0n, 10n ** 18n), (term, openedAt, free) => {
      const seconds = maturityOf(openedAt, term) - openedAt;
      const books = { cash: free, deployed: 0n, liabilities: 0n, reserved: 0n };
      const most = fundedRoom(books, term.rate, seconds);
      expect(interestAtMaturity(most, term, openedAt)).toBeLessThanOrEqual(free);
      expect(interestAtMaturity(most + 1n, term, openedAt)).toBeGreaterThan(free);
    }),
  );
});

test("the maximum is funded whenever it is mined within the hour", () => {
  fc.assert(
    fc.property(
      terms,
      fc.oneof(openings, lateHours),
      fc.bigInt(0n, 3_600n),
      fc.bigInt(0n, 10n ** 18n),
      (term, openedAt, late, free) => {
        const books = { cash: free, deployed: 0n, liabilities: 0n, reserved: 0n };
        const most = fundedRoom(books, term.rate, openingAt(1n, term, openedAt).longest);
        expect(interestAtMaturity(most, term, openedAt + late)).toBeLessThanOrEqual(free);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("caps count principal only, and the lower one applies", () => {
  const position = aTermPosition({ cap: 10_400n * 1_000_000n });
  expect(capRoom(position, quarter)).toBe(400_000_000n);
  expect(capRoom(position, { ...quarter, cap: 10_100_000_000n })).toBe(100_000_000n);
  expect(capRoom(position, { ...quarter, cap: 1n })).toBe(0n);
});

test("a payment at maturity leaves the others' interest, an early exit half the buffer too", () => {
  const receipt = aReceipt();
  // 5 350 in cash; 150 − 14.794520 are reserved for the others.
  expect(cashForClose(aTermPosition(), receipt)).toBe(5_350_000_000n - 135_205_480n);
  // Without the receipt the buffer is ⌈9 000 · 10 %⌉ = 900.
  expect(cashForExit(aTermPosition(), receipt)).toBe(5_350_000_000n - 135_205_480n - 450_000_000n);
  expect(cashForExit(aTermPosition({ cash: 500_000_000n }), receipt)).toBe(0n);
});

test("a rollover replaces the old receipt under the caps and needs its interest funded", () => {
  const receipt = aReceipt({ openedAt: at - 90n * day });
  expect(rollingAt({ receipt, term: quarter, what: "all", at })).toMatchObject({ principal: 1_014_794_520n, paid: 0n });
  expect(rollingAt({ receipt, term: quarter, what: "principal", at })).toMatchObject({
    principal: thousand,
    paid: 14_794_520n,
  });

  const full = { ...quarter, cap: quarter.principal };
  expect(rollLimit({ position: aTermPosition(), receipt, term: full, what: "principal" })).toBeNull();
  expect(rollLimit({ position: aTermPosition(), receipt, term: full, what: "all" })).toEqual({
    code: "cap",
    room: thousand,
  });
  const other = { ...full, id: 1 };
  expect(rollLimit({ position: aTermPosition(), receipt, term: other, what: "principal" })).toEqual({
    code: "cap",
    room: 0n,
  });

  const dry = aTermPosition({ cash: 5_150_000_000n });
  expect(rollLimit({ position: dry, receipt, term: quarter, what: "principal" })).toMatchObject({ code: "interest" });
  expect(
    rollLimit({ position: aTermPosition({ minDeposit: 2n * thousand }), receipt, term: quarter, what: "all" })?.code,
  ).toBe("minimum");
});
