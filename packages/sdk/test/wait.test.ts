import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Day, type Exit, estimateWait, idleFor, inflowWithin, minStarts } from "../src/maths/wait.ts";

const DAY = 86_400_000;
const days = fc.array(fc.record({ inflow: fc.bigInt(-(10n ** 9n), 10n ** 9n), reported: fc.boolean() }), {
  maxLength: 60,
});
const assets = fc.bigInt(0n, 10n ** 10n);
const exits = fc.record({
  amount: assets,
  instant: assets,
  ahead: assets,
  idle: assets,
  payableIn: fc.constantFrom(null, 0, 3),
  streamDays: fc.constantFrom(0, 1),
});

const steady = (count: number, inflow: bigint, every = 1): Day[] =>
  Array.from({ length: count }, (_, index) => ({ inflow, reported: index % every === every - 1 }));
const exit = (change: Partial<Exit>): Exit => ({
  amount: 100n,
  instant: 0n,
  ahead: 0n,
  idle: 0n,
  payableIn: 0,
  streamDays: 1,
  ...change,
});
const later = (one: ReturnType<typeof estimateWait>, other: ReturnType<typeof estimateWait>) =>
  other === null || (one !== null && one.p50 <= other.p50 && one.p90 <= other.p90);

/** The estimate by its definition, day by day. The tested function is a faster way to the same result. */
function waitByDefinition(past: readonly Day[], one: Exit): number | null {
  const done = past.map((_, start) => {
    let lacking = one.ahead + one.amount - one.idle;
    let payableOn = one.payableIn;
    for (let count = 1; start + count <= past.length; count += 1) {
      const day = past[start + count - 1] as Day;
      lacking -= day.inflow;
      if (day.reported) payableOn ??= count + one.streamDays;
      for (const { day: on, assets: due } of one.scheduled ?? []) if (on === count) lacking -= due;
      if (payableOn !== null && payableOn <= count && lacking <= 0n) return count;
    }
    return Number.POSITIVE_INFINITY;
  });
  for (let count = 1; done.length - count + 1 >= minStarts; count += 1) {
    const starts = done.slice(0, done.length - count + 1);
    if (starts.filter((took) => took <= count).length * 10 >= starts.length * 9) return count;
  }
  return null;
}

describe("the time an exit takes", () => {
  it("is what its definition says, day by day", () => {
    const scheduled = fc.array(fc.record({ day: fc.integer({ min: 1, max: 20 }), assets }), { maxLength: 3 });
    fc.assert(
      fc.property(days, exits, scheduled, (past, base, due) => {
        const one = { ...base, instant: -1n, scheduled: due };
        const wait = estimateWait(past, one);
        if (wait !== null) expect(wait.p90).toBe((waitByDefinition(past, one) ?? Number.NaN) * DAY);
        else expect(waitByDefinition(past, one)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it("is 0 for what can be paid at once, whatever the history", () => {
    fc.assert(
      fc.property(days, exits, (past, one) => {
        if (one.amount <= one.instant) expect(estimateWait(past, one)).toEqual({ p50: 0, p90: 0 });
      }),
    );
  });

  it("is a whole number of days, with P90 at least P50, and never NaN", () => {
    fc.assert(
      fc.property(days, exits, (past, one) => {
        const wait = estimateWait(past, one);
        if (!wait || one.amount <= one.instant) return;
        expect(wait.p50 % DAY).toBe(0);
        expect(wait.p50).toBeGreaterThanOrEqual(DAY);
        expect(wait.p90).toBeGreaterThanOrEqual(wait.p50);
        expect(wait.p90 / DAY).toBeLessThanOrEqual(past.length);
      }),
    );
  });

  it("is no shorter for a larger amount, for more ahead, for less idle money, or before a report", () => {
    fc.assert(
      fc.property(days, exits, assets, (past, base, more) => {
        const one = { ...base, instant: 0n, amount: base.amount + 1n };
        const wait = estimateWait(past, one);
        expect(later(wait, estimateWait(past, { ...one, amount: one.amount + more }))).toBe(true);
        expect(later(wait, estimateWait(past, { ...one, ahead: one.ahead + more }))).toBe(true);
        expect(later(estimateWait(past, { ...one, idle: one.idle + more }), wait)).toBe(true);
        expect(later(estimateWait(past, { ...one, payableIn: 0 }), wait)).toBe(true);
        const scheduled = [{ day: 3, assets: more }];
        expect(later(estimateWait(past, { ...one, scheduled }), wait)).toBe(true);
      }),
    );
  });

  it("is what a steady inflow needs to cover the amount and what is ahead", () => {
    const past = steady(100, 10n);
    expect(estimateWait(past, exit({}))).toEqual({ p50: 10 * DAY, p90: 10 * DAY });
    expect(estimateWait(past, exit({ ahead: 50n, idle: 20n }))).toEqual({ p50: 13 * DAY, p90: 13 * DAY });
    expect(estimateWait(past, exit({ scheduled: [{ day: 4, assets: 60n }] }))).toEqual({ p50: 4 * DAY, p90: 4 * DAY });
  });

  it("includes the wait for a report and its stream even where the money is there", () => {
    const past = steady(100, 0n, 7);
    expect(estimateWait(past, exit({ idle: 500n }))).toEqual({ p50: DAY, p90: DAY });
    const wait = estimateWait(past, exit({ idle: 500n, payableIn: null }));
    expect(wait).toEqual({ p50: 5 * DAY, p90: 8 * DAY });
    expect(estimateWait(past, exit({ idle: 500n, payableIn: 3 }))).toEqual({ p50: 3 * DAY, p90: 3 * DAY });
  });

  it("has a P90 above its P50 where inflow comes in bursts", () => {
    const past = Array.from({ length: 100 }, (_, index) => ({ inflow: index % 10 === 9 ? 100n : 0n, reported: true }));
    expect(estimateWait(past, exit({}))).toEqual({ p50: 6 * DAY, p90: 10 * DAY });
  });

  it("is unknown where the history is too short, or never brought in enough", () => {
    expect(estimateWait([], exit({}))).toBeNull();
    expect(estimateWait(steady(minStarts - 1, 1_000n), exit({}))).toBeNull();
    expect(estimateWait(steady(minStarts, 1_000n), exit({}))).not.toBeNull();
    expect(estimateWait(steady(100, 0n), exit({}))).toBeNull();
    expect(estimateWait(steady(100, 10n), exit({ amount: 10_000n }))).toBeNull();
    expect(estimateWait(steady(100, 10n, 1_000), exit({ payableIn: null }))).toBeNull();
  });
});

describe("the inflow ahead", () => {
  it("reaches what a payable exit lacks on the day on which the exit is done, for every history", () => {
    fc.assert(
      fc.property(days, assets, assets, (past, ahead, amount) => {
        const wait = estimateWait(past, exit({ amount: amount + 1n, instant: -1n, ahead, payableIn: 0 }));
        const inflow = inflowWithin(past, past.length);
        const lacking = ahead + amount + 1n;
        const first = (part: "p50" | "p90") => {
          const day = inflow.findIndex((one) => one[part] >= lacking);
          return day < 0 ? null : (day + 1) * DAY;
        };
        const [p50, p90] = [first("p50"), first("p90")];
        expect(wait).toEqual(p50 === null || p90 === null ? null : { p50, p90 });
      }),
    );
  });

  it("never falls, and is no more in nine tenths than in half of the past", () => {
    fc.assert(
      fc.property(days, (past) => {
        const inflow = inflowWithin(past, past.length);
        for (const [index, { p50, p90 }] of inflow.entries()) {
          expect(p90 <= p50).toBe(true);
          const before = inflow[index - 1];
          if (before) expect(p50 >= before.p50 && p90 >= before.p90).toBe(true);
        }
      }),
    );
  });

  it("is unknown for more days than the history has", () => {
    expect(inflowWithin(steady(minStarts - 1, 5n), 3)).toEqual([]);
    expect(inflowWithin(steady(minStarts + 1, 5n), 10)).toHaveLength(2);
  });
});

describe("the idle money that keeps a wait", () => {
  const long = fc.array(fc.record({ inflow: fc.bigInt(-(10n ** 9n), 10n ** 9n), reported: fc.boolean() }), {
    ...{ minLength: 20 + minStarts, maxLength: 60 },
  });

  it("lets nine tenths of payable exits be done in time, and with a unit less they are not", () => {
    fc.assert(
      fc.property(long, assets, assets, fc.integer({ min: 1, max: 20 }), (past, amount, ahead, within) => {
        const { p90: inflow } = inflowWithin(past, within)[within - 1] as { p90: bigint };
        const idle = idleFor({ amount, ahead, inflow });
        const waitWith = (money: bigint) =>
          estimateWait(past, { amount, ahead, idle: money, instant: -1n, payableIn: 0, streamDays: 0 });
        const wait = waitWith(idle);
        // No estimate means that P50 lies beyond the history, which P90 then does too.
        expect(wait !== null && wait.p90 <= within * DAY).toBe(true);
        const less = idle > 0n ? waitWith(idle - 1n) : null;
        expect(less === null || less.p90 > within * DAY).toBe(true);
      }),
    );
  });
});
