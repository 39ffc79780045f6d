import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grossPrice, grossPrices } from "../src/maths/gross.ts";
import { type Accounting, afterReport, firstMark } from "../src/maths/report.ts";
import { sharePrice } from "../src/maths/shares.ts";
import { totalAssetsAt } from "../src/maths/stream.ts";

const PRICE = 10n ** 18n;
const VESTING = 86_400n;
const fees = fc.array(
  fc.record({
    fee: fc.bigInt(0n, 10n ** 12n),
    held: fc.bigInt(1n, 10n ** 14n),
    start: fc.bigInt(0n, 10n ** 6n),
    length: fc.bigInt(1n, 10n ** 5n),
  }),
  { maxLength: 40 },
);

describe("the price without fees", () => {
  it("equals the price without any fee, and is never below it", () => {
    fc.assert(
      fc.property(fees, fc.bigInt(0n, 2n * 10n ** 6n), (kept, at) => {
        const all = kept.map(({ length, ...one }) => ({ ...one, end: one.start + length }));
        expect(grossPrice(PRICE, all, at)).toBeGreaterThanOrEqual(PRICE - 1n);
        const none = all.map((one) => ({ ...one, fee: 0n }));
        expect(PRICE - grossPrice(PRICE, none, at)).toBeLessThanOrEqual(1n);
      }),
    );
  });

  it("grows by fee / held, in proportion to the elapsed stream", () => {
    const kept = [{ fee: 10n, held: 1_000n, start: 100n, end: 200n }];
    const at = (time: bigint) => grossPrice(PRICE, kept, time);
    expect([at(100n), at(150n), at(200n), at(900n)]).toEqual([
      ...[PRICE, (PRICE * 1_005n) / 1_000n, (PRICE * 101n) / 100n, (PRICE * 101n) / 100n],
    ]);
  });

  it("is the exact product at each of several moments, but for one unit", () => {
    fc.assert(
      fc.property(fees, fc.array(fc.bigInt(0n, 2n * 10n ** 6n), { minLength: 1, maxLength: 10 }), (kept, moments) => {
        const all = kept.map(({ length, ...one }) => ({ ...one, end: one.start + length }));
        const points = moments.sort((a, b) => (a < b ? -1 : 1)).map((time) => ({ price: PRICE, time }));
        const exact = points.map(({ price, time }) => {
          let [top, bottom] = [price, 1n];
          for (const { fee, held, start, end } of all.filter((one) => time > one.start)) {
            const elapsed = time < end ? time - start : end - start;
            top *= held * (end - start) + fee * elapsed;
            bottom *= held * (end - start);
          }
          return top / bottom;
        });
        for (const [index, gross] of grossPrices(points, all).entries()) {
          const apart = gross - (exact[index] as bigint);
          expect(apart === 0n || apart === 1n || apart === -1n).toBe(true);
        }
      }),
    );
  });

  it("equals the price of a vault without fees, once gains are streamed in", () => {
    fc.assert(
      fc.property(
        fc.bigInt(10n ** 9n, 10n ** 13n),
        fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 12 }),
        fc.bigInt(1n, 3n * 10n ** 17n),
        (assets, gains, fee) => {
          const stream = { settled: assets, streaming: 0n, start: 0n, end: 0n };
          const supply = assets * 10n ** 6n;
          let books: Accounting = { stream, supply, deployed: 0n, mark: firstMark, fee };
          let twin: Accounting = { ...books, fee: 0n };
          const kept = [];
          let at = 0n;
          for (const part of gains) {
            at += VESTING;
            const gain = (assets * BigInt(part)) / 100_000n;
            const after = afterReport({ books, delta: gain, at, covered: VESTING, vestingTime: VESTING });
            books = after.books;
            // The twin earns the same rate on its larger assets.
            const own = totalAssetsAt(twin.stream, at);
            twin = afterReport({
              books: twin,
              delta: (gain * own) / totalAssetsAt(books.stream, at),
              at,
              covered: VESTING,
              vestingTime: VESTING,
            }).books;
            const held = books.stream.settled + books.stream.streaming;
            kept.push({ fee: after.fee, held, start: at, end: at + VESTING });
          }
          at += VESTING;
          const price = (of: Accounting) => sharePrice({ totalAssets: totalAssetsAt(of.stream, at), supply });
          const [gross, bare] = [grossPrice(price(books), kept, at), price(twin)];
          const apart = gross > bare ? gross - bare : bare - gross;
          // Both round to units of the asset, and the pools hold at least 10^9 units.
          expect(apart).toBeLessThan(bare / 10n ** 7n);
        },
      ),
    );
  });
});
