import type { DemandDetail } from "@aqua/sdk/api/product";
import { type Pool, previewDeposit, previewRedeem, previewWithdraw, sharePrice } from "@aqua/sdk/maths/shares";
import { totalAssetsAt } from "@aqua/sdk/maths/stream";
import { mulDivCeil, mulDivFloor, parseUnits } from "@aqua/sdk/maths/units";

/** How far the price may move between preview and block: 0.1 %. */
const tolerance = { numerator: 1n, denominator: 1_000n };

/** A vault's pool at one block. */
export interface PoolAt {
  pool: Pool;
  block: number;
  /** Unix milliseconds. */
  time: number;
}

/**
 * The pool as last indexed by the API, with income streamed up to that block. Equals totalAssets() of the contract
 * there.
 */
export function poolOfProduct(product: DemandDetail): PoolAt {
  const { decimals } = product.asset;
  const { vault, as_of } = product;
  const seconds = (milliseconds: number) => BigInt(Math.floor(milliseconds / 1_000));
  const totalAssets = totalAssetsAt(
    {
      settled: parseUnits(vault.settled, decimals),
      streaming: parseUnits(vault.streaming, decimals),
      start: seconds(vault.stream_start),
      end: seconds(vault.stream_end),
    },
    seconds(as_of.time),
  );
  return {
    pool: { totalAssets, supply: parseUnits(vault.supply, product.share.decimals) },
    block: as_of.block,
    time: as_of.time,
  };
}

export interface DepositPreview {
  assets: bigint;
  shares: bigint;
  /** The minimum of shares the transaction accepts. */
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
  /** By amount: the maximum of shares the transaction may burn. For all shares: null. */
  maxShares: bigint | null;
  /** For all shares: the minimum of assets the transaction accepts. By amount: null, since the amount is exact. */
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

/** A wallet's shares in a vault and what it may withdraw at once; smallest units. */
export interface Holdings {
  shares: bigint;
  maxWithdraw: bigint;
  maxRedeem: bigint;
}

export interface ExitPlan {
  /** What is paid at once; null when nothing is. */
  now: WithdrawalPreview | null;
  /** What goes into the queue, and its value at this pool; null when everything is paid at once. */
  queued: { shares: bigint; assets: bigint } | null;
}

/**
 * How a wallet withdraws `wanted` assets, or all it has: at once as far as liquidity allows, the rest through the
 * queue. The shares of both never exceed the wallet's.
 */
export function planOfExit(wanted: bigint | "all", holdings: Holdings, pool: Pool): ExitPlan {
  const { shares, maxWithdraw, maxRedeem } = holdings;
  if (wanted === "all") {
    const now = maxRedeem > 0n ? previewOfExit(maxRedeem, pool) : null;
    return { now, queued: queuedOf(shares - maxRedeem, pool) };
  }
  if (wanted <= maxWithdraw) return { now: previewOfWithdrawal(wanted, pool), queued: null };
  const now = maxWithdraw > 0n ? previewOfWithdrawal(maxWithdraw, pool) : null;
  const all = previewWithdraw(wanted, pool);
  return { now, queued: queuedOf((all < shares ? all : shares) - (now?.shares ?? 0n), pool) };
}

function queuedOf(shares: bigint, pool: Pool): ExitPlan["queued"] {
  return shares > 0n ? { shares, assets: previewRedeem(shares, pool) } : null;
}
