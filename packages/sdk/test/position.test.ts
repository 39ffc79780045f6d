import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acquire, emptyPosition, profitOf, release } from "../src/maths/position.ts";

const unit = fc.bigInt({ min: 1n, max: 10n ** 24n });
const movement = fc.record({ kind: fc.constantFrom("in", "out", "all"), shares: unit, assets: unit });

describe("average cost", () => {
  it("holds profit = value + out − in after any sequence, to the last unit", () => {
    fc.assert(
      fc.property(
        fc.array(movement, { maxLength: 60 }),
        fc.bigInt({ min: 0n, max: 10n ** 24n }),
        (movements, price) => {
          let position = emptyPosition;
          let paidIn = 0n;
          let paidOut = 0n;
          for (const { kind, shares, assets } of movements) {
            if (kind === "in") {
              position = acquire({ position, shares, assets });
              paidIn += assets;
              continue;
            }
            const leaving = kind === "all" ? position.shares : shares % (position.shares + 1n);
            if (leaving === 0n) continue;
            position = release(position, leaving, assets);
            paidOut += assets;
          }
          const value = position.shares === 0n ? 0n : price;
          const profit = profitOf(position, value);
          expect(profit.total).toBe(value + paidOut - paidIn);
          expect(position.totalIn).toBe(paidIn);
          expect(position.totalOut).toBe(paidOut);
          expect(position.cost >= 0n).toBe(true);
          if (position.shares === 0n) expect(position.cost).toBe(0n);
        },
      ),
    );
  });

  it("realises the average, not the latest, price", () => {
    const bought = acquire({
      position: acquire({ position: emptyPosition, shares: 100n, assets: 100n }),
      shares: 100n,
      assets: 300n,
    });
    const sold = release(bought, 50n, 150n);
    expect(sold).toMatchObject({ shares: 150n, cost: 300n, realised: 50n });
  });

  it("stays marked as estimated until the last share has left", () => {
    const received = acquire({ position: emptyPosition, shares: 10n, assets: 10n, estimated: true });
    expect(release(received, 4n, 5n).costEstimated).toBe(true);
    expect(release(received, 10n, 12n).costEstimated).toBe(false);
  });

  it("refuses to release more than is held", () => {
    expect(() => release(acquire({ position: emptyPosition, shares: 5n, assets: 5n }), 6n, 6n)).toThrow(RangeError);
  });
});
