import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accruedOf,
  addReceipt,
  bufferOf,
  capacityOf,
  claimableOf,
  costOfPart,
  coverageOf,
  deployableOf,
  emptyReceiptPosition,
  exitQuote,
  freeInterest,
  payPart,
  payReceipt,
  type Receipt,
  type ReceiptPosition,
  receiptValue,
  receivedBy,
  rollReceipt,
  roomOf,
  splitPayment,
  type TermAccounts,
  withdrawableInterest,
  withdrawNow,
} from "../src/maths/receipts.ts";
import { accruedInterest, exitPayout, interestAtMaturity, maturityOf, simpleInterest } from "../src/maths/term.ts";

const wad = 10n ** 18n;
const dollar = 1_000_000n;
const year = 365n * 86_400n;

const terms = fc
  .record({
    count: fc.integer({ min: 1, max: 120 }),
    unit: fc.constantFrom("day", "week", "month"),
    rate: fc.bigInt(1n, wad),
    broken: fc.bigInt(0n, wad),
    penalty: fc.bigInt(0n, wad / 10n),
  })
  .map(({ broken, ...term }) => ({
    ...term,
    unit: term.unit as "day" | "week" | "month",
    breakRate: broken % term.rate,
  }));
const openings = fc.record({
  term: terms,
  principal: fc.bigInt(1n, 10n ** 15n),
  openedAt: fc.bigInt(1_700_000_000n, 1_800_000_000n),
});
const receipts = openings.map(({ term, principal, openedAt }): Receipt => {
  const { rate, breakRate, penalty } = term;
  const interest = interestAtMaturity(principal, term, openedAt);
  return {
    principal,
    interest,
    openedAt,
    maturity: maturityOf(openedAt, term),
    rate,
    breakRate,
    penalty,
    paid: 0n,
  };
});
const moments = fc.bigInt(1_700_000_000n, 2_200_000_000n);

/**
 * Accounts that owe these receipts: the principal less `deployedPart` is in cash, together with all interest and
 * `free`.
 */
function accountsFor(owed: readonly Receipt[], deployedPart: bigint, free: bigint, buffer = 0n): TermAccounts {
  const principal = owed.reduce((sum, receipt) => sum + receipt.principal, 0n);
  const reserved = owed.reduce((sum, receipt) => sum + receipt.interest, 0n);
  const most = principal - (principal * buffer + wad - 1n) / wad;
  const deployed = ((most > 0n ? most : 0n) * deployedPart) / wad;
  return {
    cash: principal - deployed + reserved + free,
    deployed,
    liabilities: principal + reserved,
    reserved,
    claims: 0n,
    buffer,
  };
}

/** The same accounts after losing everything deployed except `left`. */
function woundDown(accounts: TermAccounts, left: bigint): TermAccounts {
  return { ...accounts, deployed: left, claims: accounts.liabilities };
}

const several = fc.array(receipts, { minLength: 1, maxLength: 8 });
const part = fc.bigInt(0n, wad);

describe("a receipt", () => {
  it("accrues interest and quotes its exit like its term", () => {
    fc.assert(
      fc.property(openings, moments, ({ term, principal, openedAt }, at) => {
        const { rate, breakRate, penalty } = term;
        const interest = interestAtMaturity(principal, term, openedAt);
        const maturity = maturityOf(openedAt, term);
        const receipt = { principal, interest, openedAt, maturity, rate, breakRate, penalty, paid: 0n };
        expect(accruedOf(receipt, at)).toBe(accruedInterest({ principal, term, openedAt, at }));
        if (at >= openedAt) expect(exitQuote(receipt, at)).toBe(exitPayout({ principal, term, openedAt, at }));
      }),
    );
  });

  it("has the value of principal and accrued interest, and an exit never pays more", () => {
    fc.assert(
      fc.property(several, part, moments, fc.boolean(), (owed, deployed, at, paused) => {
        const accounts = accountsFor(owed, deployed, 0n);
        for (const receipt of owed) {
          const value = receiptValue(receipt, accounts, at);
          expect(value).toBe(receipt.principal + accruedOf(receipt, at));
          expect(claimableOf(receipt, accounts, at)).toBe(0n);
          const { paid } = withdrawNow({ receipt, accounts, at, paused });
          expect(paid <= value).toBe(true);
          if (paused && at < receipt.maturity) expect(paid).toBe(0n);
        }
      }),
    );
  });
});

describe("the capacity for immediate payments", () => {
  it("is paid in cash, without touching reserved interest, and leaves all liabilities covered", () => {
    fc.assert(
      fc.property(several, part, part, moments, (owed, deployed, buffer, at) => {
        const accounts = accountsFor(owed, deployed, 0n, buffer);
        let [left, total] = [accounts, 0n];
        for (const receipt of [...owed].sort((a, b) => Number(a.maturity - b.maturity))) {
          const { paid, accounts: after } = withdrawNow({ receipt, accounts: left, at, paused: false });
          expect(after.cash).toBe(left.cash - paid);
          expect(after.cash >= after.reserved).toBe(true);
          expect(after.cash + after.deployed >= after.liabilities).toBe(true);
          if (paid > 0n && at < receipt.maturity)
            expect(after.cash - after.reserved >= bufferOf(after) / 2n).toBe(true);
          total += paid;
          left = after;
        }
        expect(capacityOf({ receipts: owed, accounts, at, paused: false })).toBe(total);
      }),
    );
  });

  it("is everything when nothing is deployed, and only matured receipts during a pause", () => {
    fc.assert(
      fc.property(several, moments, part, (owed, at, buffer) => {
        const accounts = accountsFor(owed, 0n, 0n, buffer);
        const quoted = (of: readonly Receipt[]) => of.reduce((sum, receipt) => sum + exitQuote(receipt, at), 0n);
        const alive = owed.filter((receipt) => at >= receipt.openedAt);
        fc.pre(alive.length === owed.length);
        expect(capacityOf({ receipts: owed, accounts, at, paused: false })).toBe(quoted(owed));
        expect(capacityOf({ receipts: owed, accounts, at, paused: true })).toBe(
          quoted(owed.filter((receipt) => at >= receipt.maturity)),
        );
      }),
    );
  });
});

describe("money that may move to the custodian", () => {
  const free = fc.bigInt(0n, 10n ** 15n);

  it("is principal beyond the buffer, as much as fits and not a unit more", () => {
    fc.assert(
      fc.property(several, part, free, part, (owed, deployed, extra, buffer) => {
        const accounts = accountsFor(owed, deployed, extra, buffer);
        const most = deployableOf(accounts);
        const after = (assets: bigint) => ({
          ...{ deployed: accounts.deployed + assets, cash: accounts.cash - assets },
          principal: accounts.liabilities - accounts.reserved,
        });
        const fits = (assets: bigint) => {
          const { deployed: there, cash, principal } = after(assets);
          return there + bufferOf(accounts) <= principal && cash >= accounts.reserved;
        };
        expect(most >= 0n).toBe(true);
        if (most > 0n) expect(fits(most)).toBe(true);
        expect(fits(most + 1n)).toBe(false);
        expect(deployableOf({ ...accounts, claims: accounts.liabilities })).toBe(0n);
      }),
    );
  });

  it("is free interest in cash, as much as leaves the buffer and every promise covered", () => {
    fc.assert(
      fc.property(several, part, free, part, (owed, deployed, extra, buffer) => {
        const accounts = accountsFor(owed, deployed, extra, buffer);
        const most = withdrawableInterest(accounts);
        const covers = (assets: bigint) => {
          const cash = accounts.cash - assets;
          return cash + accounts.deployed >= accounts.liabilities && cash >= accounts.reserved + bufferOf(accounts);
        };
        expect(most >= 0n).toBe(true);
        if (most > 0n) expect(covers(most)).toBe(true);
        expect(covers(most + 1n)).toBe(false);
        const ending = { ...accounts, claims: accounts.liabilities };
        const left = withdrawableInterest(ending);
        expect(left === 0n || ending.cash - left >= ending.liabilities).toBe(true);
      }),
    );
  });
});

describe("a winding down", () => {
  const scene = fc.record({ owed: several, deployed: part, left: part, at: moments });

  it("lets a receipt draw at most its value, and all of them at most what was received", () => {
    fc.assert(
      fc.property(scene, ({ owed, deployed, left, at }) => {
        const before = accountsFor(owed, deployed, 0n);
        const accounts = woundDown(before, (before.deployed * left) / wad);
        const draws = owed.map((receipt) => claimableOf(receipt, accounts, at));
        owed.forEach((receipt, index) => {
          const value = receiptValue(receipt, accounts, at);
          expect((draws[index] ?? 0n) <= value).toBe(true);
          expect(value <= receipt.principal + accruedOf(receipt, at)).toBe(true);
        });
        expect(draws.reduce((sum, draw) => sum + draw, 0n) <= accounts.cash).toBe(true);
        expect(capacityOf({ receipts: owed, accounts, at, paused: true })).toBe(
          draws.reduce((sum, draw) => sum + draw, 0n),
        );
      }),
    );
  });

  it("pays everybody the same for early, frequent and final draws, and in full when everything is recovered", () => {
    fc.assert(
      fc.property(scene, fc.array(fc.nat(), { maxLength: 12 }), ({ owed, deployed, at }, order) => {
        const before = accountsFor(owed, deployed, 0n);
        let accounts = woundDown(before, 0n);
        const drawn = owed.map((receipt) => ({ ...receipt }));
        const draw = (index: number, when: bigint) => {
          const receipt = drawn[index % drawn.length] as Receipt;
          const { paid, accounts: after } = withdrawNow({ receipt, accounts, at: when, paused: false });
          receipt.paid += paid;
          accounts = after;
        };
        const lost = before.deployed;
        const pieces = BigInt(order.length + 1);
        for (const index of order) {
          draw(index, at);
          accounts = { ...accounts, cash: accounts.cash + lost / pieces };
        }
        accounts = { ...accounts, cash: accounts.cash + lost - (lost / pieces) * (pieces - 1n) };
        expect(receivedBy(accounts)).toBe(accounts.claims);
        const end = 10n ** 11n;
        drawn.forEach((_, index) => {
          draw(index, end);
        });
        for (const receipt of drawn) expect(receipt.paid).toBe(receipt.principal + receipt.interest);
        expect(accounts).toMatchObject({ cash: 0n, liabilities: 0n });
        expect(coverageOf(accounts)).toBeNull();
      }),
    );
  });
});

describe("room for a deposit", () => {
  /** The checks of the contract's `open`, one by one. */
  function fits(
    principal: bigint,
    term: { rate: bigint; cap: bigint; principal: bigint },
    accounts: TermAccounts & { cap: bigint },
    seconds: bigint,
  ): boolean {
    const interest = simpleInterest(principal, term.rate, seconds);
    if (principal >= 2n ** 96n) return false;
    if (principal + accounts.liabilities - accounts.reserved > accounts.cap) return false;
    if (principal + term.principal > term.cap) return false;
    const paidIn = { ...accounts, cash: accounts.cash + principal, liabilities: accounts.liabilities + principal };
    return interest <= freeInterest(paidIn) && interest <= paidIn.cash - paidIn.reserved;
  }

  it("is the largest principal that the contract accepts", () => {
    const caps = fc.oneof(fc.bigInt(0n, 10n ** 16n), fc.constant(2n ** 104n - 1n));
    fc.assert(
      fc.property(
        ...[several, part, fc.bigInt(0n, 10n ** 14n), caps, caps, fc.bigInt(1n, wad), fc.bigInt(1n, 10n * year)],
        (owed, deployed, free, cap, termCap, rate, seconds) => {
          const accounts = { ...accountsFor(owed, deployed, free), cap };
          const term = { rate, cap: termCap, principal: owed[0]?.principal ?? 0n };
          const room = roomOf(term, accounts, seconds);
          if (room > 0n) expect(fits(room, term, accounts, seconds)).toBe(true);
          expect(fits(room + 1n, term, accounts, seconds)).toBe(false);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("is 0 in a winding down", () => {
    const accounts = { ...woundDown(accountsFor([], 0n, 0n), 0n), claims: 1n, cap: 10n ** 12n };
    expect(roomOf({ rate: wad, cap: 10n ** 12n, principal: 0n }, { ...accounts, cash: 10n ** 12n }, year)).toBe(0n);
  });
});

describe("one wallet's receipts", () => {
  const steps = fc.array(
    fc.record({
      what: fc.constantFrom("add", "receive", "pay", "part", "draw", "roll"),
      which: fc.nat(),
      assets: fc.bigInt(0n, 2_000n * dollar),
    }),
    { maxLength: 40 },
  );

  it("have at any time cost = totalIn − totalOut + interest", () => {
    fc.assert(
      fc.property(steps, (all) => {
        let position: ReceiptPosition = emptyReceiptPosition;
        const costs: bigint[] = [];
        let earned = 0n;
        for (const { what, which, assets } of all) {
          const index = costs.length === 0 ? -1 : which % costs.length;
          const cost = costs[index];
          if (what === "add" || what === "receive") {
            position = addReceipt(position, assets, what === "receive");
            costs.push(assets);
          } else if (cost === undefined) {
            expect(() => payReceipt({ position, cost: 1n, paid: assets, gone: true })).toThrow(RangeError);
          } else if (what === "draw") {
            position = payReceipt({ position, cost, paid: assets, gone: false });
            const split = splitPayment(cost, assets, false);
            costs[index] = cost - split.cost;
            earned += split.interest;
          } else if (what === "part") {
            const part = costOfPart({ cost, principal: 7n }, BigInt(which % 7));
            position = payPart({ position, cost: part, paid: assets });
            costs[index] = cost - part;
            earned += assets - part;
          } else if (what === "pay") {
            position = payReceipt({ position, cost, paid: assets, gone: true });
            costs.splice(index, 1);
            earned += assets - cost;
          } else {
            const paid = assets / 3n;
            position = rollReceipt({ position, cost, paid, principal: assets - paid });
            costs[index] = assets - paid;
            earned += assets - cost;
          }
          const held = costs.reduce((sum, one) => sum + one, 0n);
          expect(position).toMatchObject({ receipts: costs.length, cost: held, interest: earned });
          expect(position.cost).toBe(position.totalIn - position.totalOut + position.interest);
          if (costs.length === 0) expect(position.costEstimated).toBe(false);
        }
      }),
    );
  });
});
