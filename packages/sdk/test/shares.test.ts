import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { previewDeposit, previewMint, previewRedeem, previewWithdraw, sharePrice } from "../src/maths/shares.ts";
import { totalAssetsAt } from "../src/maths/stream.ts";
import { formatUnits } from "../src/maths/units.ts";

const quantity = fc.bigInt({ min: 0n, max: 10n ** 30n });
const pool = fc.record({ totalAssets: quantity, supply: quantity });

describe("share conversions", () => {
  it("price the first share at exactly one asset", () => {
    const empty = { totalAssets: 0n, supply: 0n };
    expect(previewDeposit(1_000_000n, empty)).toBe(1_000_000_000_000n);
    expect(formatUnits(sharePrice(empty), 18)).toBe("1.000000000000000000");
  });

  it("never make a round trip profitable", () => {
    fc.assert(
      fc.property(pool, quantity, (state, assets) => {
        const shares = previewDeposit(assets, state);
        const after = { totalAssets: state.totalAssets + assets, supply: state.supply + shares };
        return previewRedeem(shares, after) <= assets && previewRedeem(shares, state) <= assets;
      }),
    );
  });

  it("charge at least what they return when minting or withdrawing", () => {
    fc.assert(
      fc.property(pool, quantity, (state, quantityAsked) => {
        const cost = previewMint(quantityAsked, state);
        const burnt = previewWithdraw(quantityAsked, state);
        return previewDeposit(cost, state) >= quantityAsked && previewRedeem(burnt, state) >= quantityAsked;
      }),
    );
  });

  it("never lower the share price by a deposit or a withdrawal", () => {
    fc.assert(
      fc.property(pool, quantity, quantity, (state, assets, shares) => {
        const deposited = {
          totalAssets: state.totalAssets + assets,
          supply: state.supply + previewDeposit(assets, state),
        };
        const burnt = shares > state.supply ? state.supply : shares;
        const paid = previewRedeem(burnt, state);
        if (sharePrice(deposited) < sharePrice(state)) return false;
        if (paid > state.totalAssets) return true;
        return sharePrice({ totalAssets: state.totalAssets - paid, supply: state.supply - burnt }) >= sharePrice(state);
      }),
    );
  });
});

describe("streamed income", () => {
  const stream = fc
    .record({
      settled: quantity,
      streaming: quantity,
      start: fc.bigInt({ min: 0n, max: 2n ** 40n }),
      length: fc.bigInt({ min: 0n, max: 10_000_000n }),
    })
    .map(({ length, ...rest }) => ({ ...rest, end: rest.start + length }));

  it("starts at what is settled and ends at everything", () => {
    fc.assert(
      fc.property(stream, (state) => {
        const atStart = state.start === state.end ? state.settled + state.streaming : state.settled;
        return (
          totalAssetsAt(state, state.start) === atStart &&
          totalAssetsAt(state, state.end) === state.settled + state.streaming
        );
      }),
    );
  });

  it("never decreases over time", () => {
    const moment = fc.bigInt({ min: 0n, max: 2n ** 41n });
    fc.assert(
      fc.property(stream, moment, moment, (state, a, b) => {
        const [early, late] = a < b ? [a, b] : [b, a];
        return totalAssetsAt(state, early) <= totalAssetsAt(state, late);
      }),
    );
  });
});
