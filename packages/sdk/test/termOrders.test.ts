import fc from "fast-check";
import { expect, test } from "vitest";
import { capRoomOf, fundedRoomOf, roomOf, type TermAccounts } from "../src/maths/receipts.ts";
import { exitPayout, interestAtMaturity, maturityOf, type Term, timeUnits } from "../src/maths/term.ts";
import {
  cashForReceipt,
  daysOf,
  exitAt,
  exitLimit,
  exitOnDay,
  type OfferedTerm,
  openingAt,
  rollingAt,
  rollLimit,
} from "../src/maths/term-orders.ts";

const thousand = 1_000_000_000n;
const wad = 10n ** 18n;
const day = 86_400n;
const at = 1_800_000_000n;

/** 90 days at 6 %, 2 % on an early exit, no penalty. */
const quarter: OfferedTerm = {
  id: 0,
  count: 90,
  unit: "day",
  rate: (6n * wad) / 100n,
  breakRate: (2n * wad) / 100n,
  penalty: 0n,
  cap: 1_000n * thousand,
  principal: 10n * thousand,
};

/** A receipt of 1 000 for 90 days, opened 30 days before `at`. */
const aReceipt = (openedAt = at - 30n * day) => ({ principal: thousand, openedAt, term: quarter });

/** 10 000 owed with 150 of interest, 5 000 of it deployed; 200 of interest are free. */
const accountsWith = (parts: Partial<TermAccounts & { cap: bigint; minDeposit: bigint }> = {}) => ({
  cap: 1_000n * thousand,
  minDeposit: 10_000_000n,
  buffer: wad / 10n,
  cash: 5_350_000_000n,
  deployed: 5n * thousand,
  liabilities: 10_150_000_000n,
  reserved: 150_000_000n,
  claims: 0n,
  ...parts,
});

test("1 000 for 90 days at 6 % earn 14.794520, an APY of 6.137 %, and an exit on day 30 pays 1 001.643835", () => {
  const opening = openingAt(thousand, quarter, at);
  expect(opening.interest).toBe(14_794_520n);
  expect(opening.apy?.slice(0, 6)).toBe("0.0613");
  expect(opening.maturity).toBe(at + 90n * day);
  expect(exitOnDay({ principal: thousand, term: quarter, openedAt: at }, 30)).toEqual({
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
      const exit = exitOnDay({ principal, term, openedAt }, number);
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
      if (exitOnDay({ ...opening, term }, number).payout !== payout) expect.fail(`day ${number} of ${count}`);
    }
  }
});

test("the last day of the slider is maturity with all of the interest, and payouts never decrease", () => {
  fc.assert(
    fc.property(terms, openings, principals, (term, openedAt, principal) => {
      const last = daysOf(openedAt, term);
      const { payout, penalty } = exitOnDay({ principal, term, openedAt }, last);
      expect(payout).toBe(principal + interestAtMaturity(principal, term, openedAt));
      expect(penalty).toBe(0n);
      expect(exitOnDay({ principal, term, openedAt }, last - 1).payout).toBeLessThanOrEqual(payout);
      const early = exitAt({ principal, term, openedAt }, openedAt + 1n).payout;
      expect(exitAt({ principal, term, openedAt }, openedAt).payout).toBeLessThanOrEqual(early);
    }),
  );
});

test("early exits of parts at one time never pay more than an exit of the whole, and at most a unit less for each rounding", () => {
  fc.assert(
    fc.property(
      terms,
      openings,
      fc.array(principals, { minLength: 1, maxLength: 5 }),
      fc.nat(1_000),
      (term, openedAt, parts, share) => {
        const at = openedAt + ((maturityOf(openedAt, term) - 1n - openedAt) * BigInt(share)) / 1_000n;
        const whole = exitAt({ principal: parts.reduce((sum, part) => sum + part), term, openedAt }, at).payout;
        const paid = parts.reduce((sum, principal) => sum + exitAt({ principal, term, openedAt }, at).payout, 0n);
        expect(paid).toBeLessThanOrEqual(whole);
        expect(whole - paid).toBeLessThanOrEqual(2n * BigInt(parts.length - 1));
      },
    ),
  );
});

test("exitLimit refuses a rest below the minimum or without interest, and the whole never for its rest", () => {
  const receipt = { principal: 1_000_000_000n, openedAt: at, term: quarter };
  const accounts = {
    cash: 5_000_000_000n,
    deployed: 0n,
    liabilities: 1_014_794_520n,
    reserved: 14_794_520n,
    claims: 0n,
    buffer: 0n,
    minDeposit: 100_000_000n,
  };
  const limit = (principal: bigint, changed: Partial<typeof accounts> = {}) =>
    exitLimit({ receipt, principal, at: at + day, accounts: { ...accounts, ...changed } });
  expect(limit(900_000_000n)).toBeNull();
  expect(limit(900_000_001n)).toEqual({ code: "rest", room: 900_000_000n });
  expect(limit(1_000_000_000n)).toBeNull();
  expect(limit(1_000_000_001n)).toEqual({ code: "principal", room: 1_000_000_000n });
  expect(limit(999_999_999n, { minDeposit: 0n })).toEqual({ code: "rest", room: 1_000_000_000n });
  expect(limit(1_000_000_000n, { minDeposit: 2_000_000_000n })).toBeNull();
  expect(limit(1n, { minDeposit: 2_000_000_000n })).toEqual({ code: "rest", room: 0n });
  const costly = { ...receipt, term: { ...quarter, penalty: wad / 10n } };
  expect(exitLimit({ receipt: costly, principal: 1n, at, accounts })).toEqual({
    code: "nothing",
    room: 1_000_000_000n,
  });
  // The part takes its share of the reserved interest with it, so the other receipts' interest stays in cash.
  expect(limit(500_000_000n, { cash: 100_000_000n })).toEqual({ code: "cash", room: 92_602_740n });
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
      // A month from 28 February ends on 28 March, and one from 1 March on 1 April.
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

/** True if TermDeposit would open a deposit of `principal` over `seconds`, by the steps of its `_issue`. */
function opens(
  principal: bigint,
  { rate, seconds, accounts }: { rate: bigint; seconds: bigint; accounts: TermAccounts },
): boolean {
  const cash = accounts.cash + principal;
  const interest = (principal * rate * seconds) / (365n * day * wad);
  const free = cash + accounts.deployed - (accounts.liabilities + principal);
  return interest <= free && interest <= cash - accounts.reserved;
}

/** Any free interest, of which all, a part or nothing is in cash, and rates that earn over 100 % in a few years. */
const fundings = fc
  .record({
    free: fc.bigInt(0n, 10n ** 18n),
    away: fc.bigInt(0n, 10n ** 18n),
    principal: fc.bigInt(0n, 10n ** 18n),
    reserved: fc.bigInt(0n, 10n ** 18n),
    rate: fc.bigInt(1n, wad),
    seconds: fc.bigInt(day, 10n * 365n * day),
  })
  .map(({ free, away, principal, reserved, rate, seconds }) => {
    const assets = principal + reserved + free;
    const deployed = away < assets - reserved ? away : assets - reserved;
    return {
      rate,
      seconds,
      accounts: accountsWith({ cash: assets - deployed, deployed, liabilities: principal + reserved, reserved }),
    };
  });

test("the funded room is opened by the contract to the last unit, and one unit more is not", () => {
  fc.assert(
    fc.property(fundings, (funding) => {
      const room = fundedRoomOf(funding.rate, funding.accounts, funding.seconds);
      expect(opens(room, funding)).toBe(true);
      if (room < 2n ** 96n - 1n) expect(opens(room + 1n, funding)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test("the funded room over a term that earns more than its principal is bounded by cash", () => {
  const accounts = accountsWith({ cash: 75n, deployed: 1_000n, liabilities: 75n, reserved: 0n });
  const twice = { rate: wad, seconds: 4n * 365n * day, accounts };
  // The interest suffices for 1 000 / 4 units, but each unit needs 3 more units of cash.
  expect(fundedRoomOf(twice.rate, accounts, twice.seconds)).toBe(25n);
  expect([opens(25n, twice), opens(26n, twice)]).toEqual([true, false]);
});

test("the maximum is funded at whatever time within the hour it is mined", () => {
  fc.assert(
    fc.property(
      terms,
      fc.oneof(openings, lateHours),
      fc.bigInt(0n, 3_600n),
      fundings,
      (term, openedAt, late, { accounts }) => {
        const most = fundedRoomOf(term.rate, accounts, openingAt(1n, term, openedAt).longest);
        const seconds = maturityOf(openedAt + late, term) - openedAt - late;
        expect(opens(most, { rate: term.rate, seconds, accounts })).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("caps count principal only, and the lower one applies", () => {
  const accounts = accountsWith({ cap: 10_400_000_000n });
  expect(capRoomOf(quarter, accounts)).toBe(400_000_000n);
  expect(capRoomOf({ ...quarter, cap: 10_100_000_000n }, accounts)).toBe(100_000_000n);
  expect(capRoomOf({ ...quarter, cap: 1n }, accounts)).toBe(0n);
  expect(roomOf(quarter, accounts, 90n * day)).toBe(400_000_000n);
});

test("a payment at maturity does not use the others' interest, an early exit not half the buffer either", () => {
  const receipt = aReceipt();
  // Of the 5 350 in cash, 150 − 14.794520 are reserved for the other receipts.
  expect(cashForReceipt(receipt, accountsWith(), false)).toBe(5_350_000_000n - 135_205_480n);
  // Without the receipt the buffer is ⌈9 000 · 10 %⌉ = 900.
  expect(cashForReceipt(receipt, accountsWith(), true)).toBe(5_350_000_000n - 135_205_480n - 450_000_000n);
  expect(cashForReceipt(receipt, accountsWith({ cash: 500_000_000n }), true)).toBe(0n);
});

test("a rollover replaces the old receipt under the caps and needs its interest funded", () => {
  const receipt = aReceipt(at - 90n * day);
  expect(rollingAt({ receipt, term: quarter, what: "all", at })).toMatchObject({ principal: 1_014_794_520n, paid: 0n });
  expect(rollingAt({ receipt, term: quarter, what: "principal", at })).toMatchObject({
    principal: thousand,
    paid: 14_794_520n,
  });

  const full = { ...quarter, cap: quarter.principal };
  expect(rollLimit({ accounts: accountsWith(), at, receipt, term: full, what: "principal" })).toBeNull();
  expect(rollLimit({ accounts: accountsWith(), at, receipt, term: full, what: "all" })).toEqual({
    code: "cap",
    room: thousand,
  });
  const other = { ...full, id: 1 };
  expect(rollLimit({ accounts: accountsWith(), at, receipt, term: other, what: "principal" })).toEqual({
    code: "cap",
    room: 0n,
  });

  const dry = accountsWith({ cash: 5_150_000_000n });
  expect(rollLimit({ accounts: dry, at, receipt, term: quarter, what: "principal" })).toMatchObject({
    code: "interest",
  });
  expect(
    rollLimit({ accounts: accountsWith({ minDeposit: 2n * thousand }), at, receipt, term: quarter, what: "all" })?.code,
  ).toBe("minimum");
});
