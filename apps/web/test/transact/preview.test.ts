import type { Position } from "@aqua/sdk/chain/vault-position";
import { type Pool, previewMint, previewRedeem } from "@aqua/sdk/maths/shares";
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
  expect(poolOfProduct(product)?.pool.totalAssets).toBe(1_025_000_000n);
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

/** A pool without streaming income, unless `soon` differs from it. */
const at = (pool: Pool, soon = pool) => ({ pool, soon, block: 1, time: 0 });

/** The vault's limits for a holder of `shares` while `instant` assets are liquid; see DemandVault.maxRedeem. */
function limits(shares: bigint, instant: bigint, pool: Pool) {
  const value = previewRedeem(shares, pool);
  const most = value < instant ? value : instant;
  const up = (a: bigint, b: bigint) => (a + b - 1n) / b;
  const floor = up((most + 1n) * (pool.supply + 1_000_000n), pool.totalAssets + 1n) - 1n;
  const maxRedeem = value === 0n || most === 0n ? 0n : value <= instant ? shares : floor;
  return { shares, maxWithdraw: most, maxRedeem, queue: { queued: 0n } };
}

test("an amount that cannot be paid at once is queued, and both parts add up to the requested amount", () => {
  const plan = planOfExit(600_000_000n, limits(pool.supply, 400_000_000n, pool), at(pool));
  expect(plan.now?.assets).toBe(400_000_000n);
  expect(plan.queued?.assets).toBeGreaterThanOrEqual(199_999_999n);
  expect(plan.queued?.assets).toBeLessThanOrEqual(200_000_000n);
  expect(planOfExit(400_000_000n, limits(pool.supply, 400_000_000n, pool), at(pool)).queued).toBeNull();
  expect(planOfExit(600_000_000n, limits(pool.supply, 0n, pool), at(pool)).now).toBeNull();
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
        expect(sharesOf(planOfExit("all", holdings, at(pool)))).toBe(shares);
        const amount = (value * BigInt(wanted)) / 1_000n;
        if (amount === 0n) return;
        const plan = planOfExit(amount, holdings, at(pool));
        expect(sharesOf(plan)).toBeLessThanOrEqual(shares);
        expect((plan.now?.assets ?? 0n) + (plan.queued?.assets ?? 0n)).toBeGreaterThanOrEqual(amount - 1n);
        expect(plan.now?.assets ?? 0n).toBeLessThanOrEqual(holdings.maxWithdraw);
      },
    ),
  );
});

test("the amount paid at once is limited by the cash an hour later too, while income streams and others wait in the queue", () => {
  fc.assert(
    fc.property(
      fc.record({
        totalAssets: fc.bigInt(10n ** 6n, 10n ** 15n),
        sharesEach: fc.bigInt(10n ** 5n, 10n ** 7n),
        // Up to a tenth of all assets within the hour.
        income: fc.nat(100_000),
        held: fc.nat(1_000),
        waiting: fc.nat(1_000),
        idle: fc.nat(1_000),
        wanted: fc.nat(1_000),
        later: fc.nat(1_000),
      }),
      ({ totalAssets, sharesEach, income, held, waiting, idle, wanted, later }) => {
        const supply = totalAssets * sharesEach;
        const part = (of: bigint, thousandths: number) => (of * BigInt(thousandths)) / 1_000n;
        const streamed = (totalAssets * BigInt(income)) / 1_000_000n;
        const pool = { totalAssets, supply };
        const soon = { totalAssets: totalAssets + streamed, supply };
        const queued = part(part(supply, waiting), 1_000 - held);
        const cash = part(totalAssets, idle);
        // The contract's limits at a moment: DemandVault._instant, from which maxRedeem and maxWithdraw follow.
        const instant = (now: Pool) => {
          const free = cash - previewMint(queued, now);
          return free > 0n ? free : 0n;
        };
        const shares = part(supply, held);
        const holdings = { ...limits(shares, instant(pool), pool), queue: { queued } };
        const then = { totalAssets: totalAssets + part(streamed, later), supply };
        const value = previewRedeem(shares, pool);
        // If all shares can be redeemed at once, the limits do not apply.
        if (holdings.maxRedeem === shares) return;
        const all = planOfExit("all", holdings, at(pool, soon));
        expect(previewRedeem(all.now?.shares ?? 0n, then)).toBeLessThanOrEqual(instant(then));
        expect((all.now?.shares ?? 0n) + (all.queued?.shares ?? 0n)).toBe(shares);
        const amount = part(value, wanted);
        if (amount <= holdings.maxWithdraw) return;
        const some = planOfExit(amount, holdings, at(pool, soon));
        expect(some.now?.assets ?? 0n).toBeLessThanOrEqual(instant(then));
      },
    ),
  );
});

test("only the amount that can be paid at once is planned without a queue", () => {
  const holdings = { ...limits(pool.supply, 400_000_000n, pool), queue: null };
  const plan = planOfExit("all", holdings, at(pool, { ...pool, totalAssets: pool.totalAssets + 1_000n }));
  expect(plan.queued).toBeNull();
  expect(plan.now?.assets).toBeLessThan(400_000_000n);
  expect(plan.now?.assets).toBeGreaterThan(399_990_000n);
});

test("the pool of an hour later has that hour's income, of the wallet's block where that is newer", () => {
  const product = aProduct({
    vault: { settled: "1000.000000", streaming: "100.000000", stream_start: 0, stream_end: 36_000_000 },
    as_of: { time: 0, block: 7 },
  });
  expect(poolOfProduct(product)?.soon.totalAssets).toBe(1_010_000_000n);
  const position = { block: 8, time: 18_000_000, totalAssets: 1_050_000_000n, supply: 5n } as Position;
  expect(poolOfProduct(product, position)).toEqual({
    pool: { totalAssets: 1_050_000_000n, supply: 5n },
    soon: { totalAssets: 1_060_000_000n, supply: 5n },
    block: 8,
    time: 18_000_000,
  });
  expect(poolOfProduct(product, { ...position, block: 6 })?.block).toBe(7);
});
