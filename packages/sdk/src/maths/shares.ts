import { mulDivCeil, mulDivFloor } from "./units.ts";

/**
 * ERC-4626 conversions with virtual shares, as in DemandVault (OpenZeppelin's formula, offset 6). All amounts in
 * smallest units; every rounding favours the pool.
 */
const virtualShares = 1_000_000n;
const virtualAssets = 1n;

/** The number of decimals that a share has beyond those of its asset. */
export const shareDecimalsOffset = 6;

export interface Pool {
  /** totalAssets at the relevant moment, in smallest units of the asset. */
  totalAssets: bigint;
  /** totalSupply of shares, in smallest units of the share. */
  supply: bigint;
}

/**
 * Shares that a deposit of `assets` receives.
 * @example previewDeposit(100_000_000n, { totalAssets: 1_050_000_000_000n, supply: 1_000_000_000_000_000_000n }) // 95238095238099n
 */
export function previewDeposit(assets: bigint, pool: Pool): bigint {
  return mulDivFloor(assets, pool.supply + virtualShares, pool.totalAssets + virtualAssets);
}

/**
 * Assets that minting `shares` costs.
 * @example previewMint(100_000_000_000_000n, { totalAssets: 1_050_000_000_000n, supply: 1_000_000_000_000_000_000n }) // 105000000n
 */
export function previewMint(shares: bigint, pool: Pool): bigint {
  return mulDivCeil(shares, pool.totalAssets + virtualAssets, pool.supply + virtualShares);
}

/**
 * Shares that withdrawing `assets` burns.
 * @example previewWithdraw(100_000_000n, { totalAssets: 1_050_000_000_000n, supply: 1_000_000_000_000_000_000n }) // 95238095238100n
 */
export function previewWithdraw(assets: bigint, pool: Pool): bigint {
  return mulDivCeil(assets, pool.supply + virtualShares, pool.totalAssets + virtualAssets);
}

/**
 * Assets that redeeming `shares` pays. This is the value of a holding.
 * @example previewRedeem(100_000_000_000_000n, { totalAssets: 1_050_000_000_000n, supply: 1_000_000_000_000_000_000n }) // 104999999n
 */
export function previewRedeem(shares: bigint, pool: Pool): bigint {
  return mulDivFloor(shares, pool.totalAssets + virtualAssets, pool.supply + virtualShares);
}

/** Decimals of a share price as `sharePrice` returns it. */
export const sharePriceDecimals = 18;

/**
 * Whole assets per whole share with 18 decimals, rounded down: p = (totalAssets + 1) / (supply + 10^6).
 * @example sharePrice({ totalAssets: 1_050_000_000_000n, supply: 1_000_000_000_000_000_000n }) // 1049999999999950000n
 */
export function sharePrice(pool: Pool): bigint {
  const scale = 10n ** BigInt(sharePriceDecimals + shareDecimalsOffset);
  return mulDivFloor(pool.totalAssets + virtualAssets, scale, pool.supply + virtualShares);
}
