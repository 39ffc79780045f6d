import fc from "fast-check";
import { expect, it } from "vitest";
import type { PoolAccounts } from "../../src/api/incomeProof.ts";
import { afterReport, firstMark } from "../../src/maths/report.ts";
import { previewDeposit, previewRedeem } from "../../src/maths/shares.ts";
import { earnedBy, type HoldingEvent, poolOf, worthOf } from "../../src/proofs/income.ts";

const HOUR = 3_600;
const SCALE = 10n ** 30n;
/** Exact but for the thirtieth decimal of a smallest unit. */
const exactPrice = (accounts: PoolAccounts, time: number) => {
  const { totalAssets, supply } = poolOf(accounts, time);
  return ((totalAssets + 1n) * SCALE) / (supply + 1_000_000n);
};
const changed = (accounts: PoolAccounts, supply: bigint, assets: bigint): PoolAccounts => ({
  ...accounts,
  supply: String(BigInt(accounts.supply) + supply),
  settled: String(BigInt(accounts.settled) + assets),
});
function reported({ supply, settled, streaming, start, end }: PoolAccounts, gain: bigint, time: number): PoolAccounts {
  const stream = {
    settled: BigInt(settled),
    streaming: BigInt(streaming),
    start: BigInt(start),
    end: BigInt(end),
  };
  const books = { stream, supply: BigInt(supply), deployed: -gain, mark: firstMark, fee: 0n };
  const after = afterReport({ books, delta: gain, at: BigInt(time), covered: 1n, vestingTime: 86_400n }).books.stream;
  return {
    supply,
    settled: String(after.settled),
    streaming: String(after.streaming),
    start: Number(after.start),
    end: Number(after.end),
  };
}

type Event = HoldingEvent & { accounts: PoolAccounts; time: number };
const moves = fc.array(
  fc.record({
    kind: fc.constantFrom("report", "deposit", "withdraw", "transfer_in", "transfer_out", "request", "others"),
    hours: fc.integer({ min: 1, max: 60 }),
    part: fc.integer({ min: 1, max: 99 }),
  }),
  { minLength: 1, maxLength: 25 },
);

/** Plays the moves in a vault. Returns the wallet's events, and exactly what constant units earned between them. */
function played(list: readonly { kind: string; hours: number; part: number }[]) {
  let accounts: PoolAccounts = { supply: "3000000000000000", settled: "3000000000", streaming: "0", start: 0, end: 1 };
  const opening = { accounts, time: 0, units: 1_000_000_000_000_000n, claimable: 0n };
  let [units, time, exact] = [opening.units, 0, 0n];
  const events: Event[] = [];
  const earn = (next: PoolAccounts, at: number) => {
    exact += units * (exactPrice(next, at) - exactPrice(accounts, time));
    [accounts, time] = [next, at];
  };
  for (const { kind, hours, part } of list) {
    const at = time + hours * HOUR;
    earn(accounts, at);
    const pool = poolOf(accounts, at);
    // Others keep at least a hundredth of their shares.
    const from = kind === "transfer_in" ? pool.supply - units : units;
    const shares = (from * BigInt(part)) / 100n;
    const assets = kind === "deposit" || kind === "others" ? BigInt(part) * 1_234_567n : previewRedeem(shares, pool);
    const bought = previewDeposit(assets, pool);
    if (kind === "report") earn(reported(accounts, BigInt(part - 20) * 10_007n, at), at);
    if (kind === "deposit" || kind === "others") earn(changed(accounts, bought, assets), at);
    if (kind === "withdraw") earn(changed(accounts, -shares, -assets), at);
    if (kind === "others") continue;
    units += kind === "deposit" ? bought : kind === "transfer_in" ? shares : 0n;
    units -= kind === "withdraw" || kind === "transfer_out" ? shares : 0n;
    const event = { kind, accounts, time: at } as Event;
    const money = kind === "deposit" || kind === "withdraw" ? assets : 0n;
    const moved = { shares: String(kind === "deposit" ? bought : shares), assets: String(money) };
    events.push(kind === "report" ? event : { ...event, ...moved });
  }
  earn(accounts, time + 2 * HOUR);
  return { opening, events, closing: { accounts, time }, exact };
}

it("what the parts earned adds up to the income, and the income to the change of the price within its rounding", () => {
  fc.assert(
    fc.property(moves, (list) => {
      const { opening, events, closing, exact } = played(list);
      const { steps, closing: end, income } = earnedBy({ opening, events, closing });
      const last = steps.at(-1)?.value ?? worthOf(opening, opening.accounts, opening.time);
      expect(steps.reduce((sum, { earned }) => sum + earned, 0n) + end.value - last).toBe(income);
      const difference = income * SCALE - exact;
      // Each event rounds a value before it, a value after it, and the money that it moves.
      const bound = 3n * BigInt(events.length + 1) * SCALE;
      expect(difference < bound && difference > -bound).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it("a wallet without units earns nothing, and a claim brings no income", () => {
  const accounts: PoolAccounts = { supply: "1000000000", settled: "1000", streaming: "500", start: 0, end: 100 };
  const nothing = earnedBy({ opening: null, events: [], closing: { accounts, time: 100 } });
  expect(nothing.income).toBe(0n);
  const opening = { accounts, time: 0, units: 0n, claimable: 70n };
  const claim = { kind: "claim" as const, shares: "7", assets: "70", accounts, time: 50 };
  expect(earnedBy({ opening, events: [claim], closing: { accounts, time: 100 } })).toMatchObject({
    closing: { units: 0n, claimable: 0n, value: 0n },
    income: 0n,
  });
});
