import type { DemandDetail } from "@aqua/sdk/api/product";
import type { Position } from "@aqua/sdk/chain/vault-position";
import { HOUR } from "@aqua/sdk/durations";
import {
  type Pool,
  previewDeposit,
  previewMint,
  previewRedeem,
  previewWithdraw,
  sharePrice,
} from "@aqua/sdk/maths/shares";
import { totalAssetsAt } from "@aqua/sdk/maths/stream";
import { mulDivCeil, mulDivFloor, parseUnits, smaller } from "@aqua/sdk/maths/units";

/** The maximum price change between preview and block: 0.1 %. */
const tolerance = { numerator: 1n, denominator: 1_000n };

/** The maximum time between a preview and its transaction's block, in seconds. */
const signingTime = BigInt(HOUR);

/** A vault's pool at one block. */
export interface PoolAt {
  pool: Pool;
  /**
   * The same pool with the income of the next hour. The price rises every second and the cash does not, so the amount
   * that cash allows then is used as the limit now.
   */
  soon: Pool;
  block: number;
  /** Unix milliseconds. */
  time: number;
}

/**
 * The contract's totalAssets() at a time in Unix milliseconds, computed from the stream that the API last indexed. Null if
 * the API withholds it.
 */
function assetsAt({ vault, asset: { decimals } }: DemandDetail, time: number, later = 0n): bigint | null {
  if (vault.settled === null || vault.streaming === null) return null;
  const seconds = (milliseconds: number) => BigInt(Math.floor(milliseconds / 1_000));
  const stream = {
    settled: parseUnits(vault.settled, decimals),
    streaming: parseUnits(vault.streaming, decimals),
    start: seconds(vault.stream_start),
    end: seconds(vault.stream_end),
  };
  return totalAssetsAt(stream, seconds(time) + later);
}

/**
 * The newer of two pools: the one read with the wallet, or the one last indexed by the API, with income streamed up to
 * that block. If the API withholds its pool, the one read with the wallet, and null without a wallet.
 */
export function poolOfProduct(product: DemandDetail, position: Position | null = null): PoolAt | null {
  const { as_of, vault, share } = product;
  if (vault.supply === null) return position && poolRead(position);
  const read = position !== null && position.block >= as_of.block ? position : null;
  const { block, time } = read ?? as_of;
  const [now, later] = [assetsAt(product, time), assetsAt(product, time, signingTime)];
  if (now === null || later === null) return position && poolRead(position);
  const totalAssets = read?.totalAssets ?? now;
  const supply = read?.supply ?? parseUnits(vault.supply, share.decimals);
  return { pool: { totalAssets, supply }, soon: { totalAssets: totalAssets + later - now, supply }, block, time };
}

/** A pool whose stream is unknown: the price may rise as far as a preview tolerates. */
function poolRead({ totalAssets, supply, block, time }: Position): PoolAt {
  const income = mulDivCeil(totalAssets, tolerance.numerator, tolerance.denominator);
  return { pool: { totalAssets, supply }, soon: { totalAssets: totalAssets + income, supply }, block, time };
}

export interface DepositPreview {
  assets: bigint;
  shares: bigint;
  /** The minimum number of shares that the transaction accepts. */
  minShares: bigint;
  price: bigint;
}

/** Preview of a deposit of `assets`. All in smallest units, the price with 18 decimals. */
export function previewOfDeposit(assets: bigint, pool: Pool): DepositPreview {
  const shares = previewDeposit(assets, pool);
  const minShares = mulDivFloor(shares, tolerance.denominator - tolerance.numerator, tolerance.denominator);
  return { assets, shares, minShares, price: sharePrice(pool) };
}

export interface WithdrawalPreview {
  assets: bigint;
  /** Shares to redeem. */
  shares: bigint;
  /**
   * When withdrawing an amount: the maximum number of shares that the transaction may burn. When redeeming all shares:
   * null.
   */
  maxShares: bigint | null;
  /**
   * When redeeming all shares: the minimum of assets that the transaction accepts. When withdrawing an amount: null,
   * since the amount is exact.
   */
  minAssets: bigint | null;
  price: bigint;
}

/** Preview of withdrawing exactly `assets`. */
export function previewOfWithdrawal(assets: bigint, pool: Pool): WithdrawalPreview {
  const shares = previewWithdraw(assets, pool);
  const maxShares = mulDivCeil(shares, tolerance.denominator + tolerance.numerator, tolerance.denominator);
  return { assets, shares, maxShares, minAssets: null, price: sharePrice(pool) };
}

/** Preview of redeeming all `shares`. */
export function previewOfExit(shares: bigint, pool: Pool): WithdrawalPreview {
  const assets = previewRedeem(shares, pool);
  const minAssets = mulDivFloor(assets, tolerance.denominator - tolerance.numerator, tolerance.denominator);
  return { assets, shares, maxShares: null, minAssets, price: sharePrice(pool) };
}

/**
 * A wallet's shares in a vault, the amount it may withdraw at once, and all shares that wait in its queue; smallest
 * units.
 */
export interface Holdings {
  shares: bigint;
  maxWithdraw: bigint;
  maxRedeem: bigint;
  /** Null for a vault without a queue; then a wallet can withdraw only the amount that is paid at once. */
  queue: { queued: bigint } | null;
}

export interface ExitPlan {
  /** The part that is paid at once; null when nothing is. */
  now: WithdrawalPreview | null;
  /** The part that enters the queue, and its value at this pool; null when everything is paid at once. */
  queued: { shares: bigint; assets: bigint } | null;
}

/**
 * Splits a withdrawal of `wanted` assets, or of all shares: the part that liquidity covers for the next hour is paid at
 * once, the rest goes through the queue. The shares of both parts never exceed the wallet's.
 */
export function planOfExit(wanted: bigint | "all", holdings: Holdings, { pool, soon }: PoolAt): ExitPlan {
  const { shares, maxWithdraw, maxRedeem, queue } = holdings;
  const queued = queue?.queued ?? 0n;
  const byCash = maxRedeem < shares;
  // Shares in the queue gain value within the hour, and their cash is not paid out.
  const retained = byCash ? previewMint(queued, soon) - previewMint(queued, pool) : 0n;
  const cashLimit = maxWithdraw > retained ? maxWithdraw - retained : 0n;
  if (wanted === "all") {
    // The maximum number of shares worth at most `cashLimit` in an hour, by the formula of DemandVault.maxRedeem.
    const payable = cashLimit === 0n ? 0n : smaller(maxRedeem, previewWithdraw(cashLimit + 1n, soon) - 1n);
    const paid = byCash ? payable : shares;
    const now = paid > 0n ? previewOfExit(paid, pool) : null;
    return { now, queued: queue === null ? null : queuedOf(shares - paid, pool) };
  }
  if (wanted <= maxWithdraw) return { now: previewOfWithdrawal(wanted, pool), queued: null };
  const now = cashLimit > 0n ? previewOfWithdrawal(cashLimit, pool) : null;
  return { now, queued: queuedOf(smaller(previewWithdraw(wanted, pool), shares) - (now?.shares ?? 0n), pool) };
}

function queuedOf(shares: bigint, pool: Pool): ExitPlan["queued"] {
  return shares > 0n ? { shares, assets: previewRedeem(shares, pool) } : null;
}
