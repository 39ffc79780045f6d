import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Batch, exitNow, instantLiquidity, paidTo } from "../src/maths/exit.ts";
import { type Accounting, afterReport, firstMark, gainBound } from "../src/maths/report.ts";
import { sharePrice } from "../src/maths/shares.ts";
import { totalAssetsAt } from "../src/maths/stream.ts";

const DAY = 86_400n;
const quantity = fc.bigInt({ min: 0n, max: 10n ** 24n });

function books(changes: Partial<Accounting> = {}): Accounting {
  const stream = { settled: 1_000_000n, streaming: 0n, start: 0n, end: DAY };
  return { stream, supply: 10n ** 12n, deployed: 0n, mark: firstMark, fee: 0n, ...changes };
}

describe("a report", () => {
  it("streams a gain less its fee and does not change the price at once", () => {
    const { books: after, fee } = afterReport({
      books: books({ fee: 10n ** 17n }),
      delta: 1_000n,
      at: DAY,
      covered: DAY,
      vestingTime: DAY,
    });
    expect(fee).toBe(100n);
    expect(after.stream).toEqual({ settled: 1_000_000n, streaming: 900n, start: DAY, end: 2n * DAY });
    expect(totalAssetsAt(after.stream, DAY)).toBe(1_000_000n);
  });

  it("deducts a loss first from what is not yet streamed, and charges no fee until it is regained", () => {
    const start = books({ fee: 10n ** 17n, deployed: 500_000n });
    const gained = afterReport({ books: start, delta: 1_000n, at: DAY, covered: DAY, vestingTime: DAY }).books;
    const half = afterReport({ books: gained, delta: -450n, at: DAY + DAY / 2n, covered: DAY, vestingTime: DAY }).books;
    expect(half.stream).toMatchObject({ settled: 1_000_450n, streaming: 0n });
    expect(half.deployed).toBe(499_550n);
    const regained = afterReport({ books: half, delta: 450n, at: 3n * DAY, covered: DAY, vestingTime: DAY });
    expect(regained.fee).toBe(0n);
  });

  it("lowers the price at once by what the stream does not cover", () => {
    const after = afterReport({
      books: books({ deployed: 500_000n }),
      delta: -300n,
      at: DAY,
      covered: DAY,
      vestingTime: DAY,
    }).books;
    expect(totalAssetsAt(after.stream, DAY)).toBe(999_700n);
    const all = afterReport({ books: books({ deployed: 10n }), delta: -11n, at: DAY, covered: DAY, vestingTime: DAY });
    expect(totalAssetsAt(all.books.stream, DAY)).toBe(999_990n);
    expect(all.books.deployed).toBe(0n);
  });

  it("streams a gain over the time it covers, not ending before the last stream, and leaves a report of nothing alone", () => {
    const gain = (of: Accounting, at: bigint, covered: bigint) =>
      afterReport({ books: of, delta: 100n, at, covered, vestingTime: DAY }).books;
    const late = gain(books(), 10n * DAY, 5n * DAY);
    expect(late.stream).toMatchObject({ start: 10n * DAY, end: 15n * DAY });
    expect(gain(books(), 40n * DAY, 30n * DAY).stream.end).toBe(47n * DAY);
    expect(gain(late, 11n * DAY, DAY).stream.end).toBe(15n * DAY);
    const nothing = afterReport({ books: late, delta: 0n, at: 11n * DAY, covered: DAY, vestingTime: DAY }).books;
    expect(nothing.stream).toEqual(late.stream);
  });

  it("never lowers the price by a gain and never charges more than the fee rate", () => {
    fc.assert(
      fc.property(
        quantity,
        quantity,
        quantity,
        fc.bigInt({ min: 0n, max: 3n * 10n ** 17n }),
        (settled, gain, supply, fee) => {
          const before = books({ stream: { settled, streaming: gain, start: 0n, end: DAY }, supply, fee });
          const at = DAY / 3n;
          const { books: after, fee: taken } = afterReport({
            books: before,
            delta: gain,
            at,
            covered: DAY,
            vestingTime: DAY,
          });
          const price = (state: Accounting) => sharePrice({ totalAssets: totalAssetsAt(state.stream, at), supply });
          const kept = after.stream.settled + after.stream.streaming;
          return (
            price(after) === price(before) &&
            taken * 10n ** 18n <= gain * fee &&
            kept + taken === settled + gain + gain &&
            after.mark >= before.mark
          );
        },
      ),
    );
  });

  it("bounds a gain by rate, time and assets, rounded down", () => {
    expect(gainBound(365_000n, 2n * 10n ** 17n, DAY)).toBe(200n);
    expect(gainBound(1n, 10n ** 17n, DAY)).toBe(0n);
  });
});

describe("an exit", () => {
  const pool = { totalAssets: 1_000n, supply: 1_000_000_000n };

  it("is paid at once up to the liquidity beyond the queue's needs", () => {
    expect(instantLiquidity(400n, 0n, pool)).toBe(400n);
    expect(instantLiquidity(400n, 300_000_000n, pool)).toBe(100n);
    expect(instantLiquidity(400n, 300_000_001n, pool)).toBe(99n);
    expect(instantLiquidity(400n, 500_000_000n, pool)).toBe(0n);
    expect(exitNow(50_000_000n, pool, 100n)).toBe(50n);
    expect(exitNow(500_000_000n, pool, 100n)).toBe(100n);
  });

  it("through the queue pays each request exactly what was set aside for it", () => {
    const positive = fc.bigInt({ min: 1n, max: 10n ** 12n });
    const batch = fc.record({ shares: positive, assets: fc.bigInt({ min: 0n, max: 10n ** 12n }) });
    fc.assert(
      fc.property(
        fc.array(batch, { maxLength: 6 }),
        fc.array(positive, { minLength: 1, maxLength: 8 }),
        (batches, sizes) => {
          let start = 0n;
          const total: Batch = { shares: 0n, assets: 0n };
          const whole = batches.reduce((shares, one) => shares + one.shares, 0n);
          // The last request reaches beyond everything that was processed.
          for (const shares of [...sizes, whole + 1n]) {
            const paid = paidTo({ start, shares }, batches);
            total.shares += paid.shares;
            total.assets += paid.assets;
            start += shares;
          }
          return total.shares === whole && total.assets === batches.reduce((all, one) => all + one.assets, 0n);
        },
      ),
    );
  });
});
