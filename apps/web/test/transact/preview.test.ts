import { type Pool, previewRedeem } from "@aqua/sdk/maths/shares";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  planOfExit,
  poolOfProduct,
  previewOfDeposit,
  previewOfExit,
  previewOfWithdrawal,
} from "../../src/features/transact/demand/preview.ts";
import { aProduct } from "./product.ts";

// 1 050 assets with 6 decimals back 1 000 shares with 12: a share is worth 1.05.
const pool = { totalAssets: 1_050_000_000n, supply: 1_000_000_000_000_000n };

test("a deposit of 1 000 at a price of 1.05 receives 952.38 shares, rounded down, with 0.1 % tolerance", () => {
  const preview = previewOfDeposit(1_000_000_000n, pool);
  // ⌊10^9 · (10^15 + 10^6) / (1 050 · 10^6 + 1)⌋
  expect(preview.shares).toBe(952_380_952_426_303n);
  expect(preview.minShares).toBe(951_428_571_473_876n);
});

test("only the income streamed so far counts", () => {
  const product = aProduct({
    vault: { settled: "1000.000000", streaming: "100.000000", stream_start: 1_000_000, stream_end: 2_000_000 },
    as_of: { time: 1_250_000 },
  });
  expect(poolOfProduct(product).pool.totalAssets).toBe(1_025_000_000n);
});

test("a withdrawal by amount burns at most 0.1 % more shares than previewed, an exit pays at least 99.9 %", () => {
  const byAmount = previewOfWithdrawal(500_000_000n, pool);
  expect(byAmount.maxShares).toBeGreaterThan(byAmount.shares);
  expect((byAmount.maxShares ?? 0n) - byAmount.shares).toBe(byAmount.shares / 1_000n + 1n);
  expect(byAmount.minAssets).toBeNull();
  const exit = previewOfExit(pool.supply, pool);
  expect(exit.assets).toBe(1_049_999_999n);
  expect(exit.minAssets).toBe(1_048_949_999n);
  expect(exit.maxShares).toBeNull();
});

test("a round trip at one price never pays more than was paid in", () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 15n),
      fc.bigInt(0n, 10n ** 18n),
      fc.bigInt(0n, 10n ** 24n),
      (assets, totalAssets, supply) => {
        const { shares } = previewOfDeposit(assets, { totalAssets, supply });
        expect(previewOfExit(shares, { totalAssets, supply }).assets).toBeLessThanOrEqual(assets);
      },
    ),
  );
});

/** The vault's limits for a holder of `shares` while `instant` assets are liquid; see DemandVault.maxRedeem. */
function limits(shares: bigint, instant: bigint, pool: Pool) {
  const value = previewRedeem(shares, pool);
  const most = value < instant ? value : instant;
  const up = (a: bigint, b: bigint) => (a + b - 1n) / b;
  const floor = up((most + 1n) * (pool.supply + 1_000_000n), pool.totalAssets + 1n) - 1n;
  return { shares, maxWithdraw: most, maxRedeem: value === 0n || most === 0n ? 0n : value <= instant ? shares : floor };
}

test("what cannot be paid at once is queued, and both add up to the requested amount", () => {
  const plan = planOfExit(600_000_000n, limits(pool.supply, 400_000_000n, pool), pool);
  expect(plan.now?.assets).toBe(400_000_000n);
  expect(plan.queued?.assets).toBeGreaterThanOrEqual(199_999_999n);
  expect(plan.queued?.assets).toBeLessThanOrEqual(200_000_000n);
  expect(planOfExit(400_000_000n, limits(pool.supply, 400_000_000n, pool), pool).queued).toBeNull();
  expect(planOfExit(600_000_000n, limits(pool.supply, 0n, pool), pool).now).toBeNull();
});

test('an exit never uses more shares than there are, and "all" uses all of them', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 18n),
      // At a price of 1 a share unit is a millionth of an asset unit, and it is never worth more than a whole one.
      fc.bigInt(10n ** 3n, 10n ** 9n),
      fc.bigInt(0n, 10n ** 18n),
      fc.nat(1_000),
      fc.nat(1_000),
      (totalAssets, sharesEach, instant, held, wanted) => {
        const supply = totalAssets * sharesEach;
        const pool = { totalAssets, supply };
        const shares = (supply * BigInt(held)) / 1_000n;
        const holdings = limits(shares, instant, pool);
        const value = previewRedeem(shares, pool);
        const sharesOf = (plan: ReturnType<typeof planOfExit>) =>
          (plan.now?.shares ?? 0n) + (plan.queued?.shares ?? 0n);
        expect(sharesOf(planOfExit("all", holdings, pool))).toBe(shares);
        const amount = (value * BigInt(wanted)) / 1_000n;
        if (amount === 0n) return;
        const plan = planOfExit(amount, holdings, pool);
        expect(sharesOf(plan)).toBeLessThanOrEqual(shares);
        expect((plan.now?.assets ?? 0n) + (plan.queued?.assets ?? 0n)).toBeGreaterThanOrEqual(amount - 1n);
        expect(plan.now?.assets ?? 0n).toBeLessThanOrEqual(holdings.maxWithdraw);
      },
    ),
  );
});
