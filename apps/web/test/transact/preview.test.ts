import fc from "fast-check";
import { expect, test } from "vitest";
import {
  poolOfProduct,
  previewOfDeposit,
  previewOfExit,
  previewOfWithdrawal,
} from "../../src/features/transact/preview.ts";
import { aProduct } from "./product.ts";

// 1 050 assets of 6 decimals stand for 1 000 shares of 12: a share is worth 1.05.
const pool = { totalAssets: 1_050_000_000n, supply: 1_000_000_000_000_000n };

test("a deposit of 1 000 at a price of 1.05 gets 952.38 shares, rounded down, with 0.1 % tolerance", () => {
  const preview = previewOfDeposit(1_000_000_000n, pool);
  // ⌊10^9 · (10^15 + 10^6) / (1 050 · 10^6 + 1)⌋
  expect(preview.shares).toBe(952_380_952_426_303n);
  expect(preview.minShares).toBe(951_428_571_473_876n);
});

test("the income streamed so far counts and the rest does not", () => {
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

test("a round trip at one price never pays more than went in", () => {
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
