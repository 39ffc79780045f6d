import { type Pool, previewMint, previewRedeem } from "./shares.ts";
import { mulDivCeil } from "./units.ts";

/**
 * The part of a vault's money that is never deployed, rounded up. `held` is in smallest units and includes a running
 * stream; `buffer` has 18 decimals.
 * @example vaultBuffer(1_000_000_001n, 100_000_000_000_000_000n) // 100000001n
 */
export function vaultBuffer(held: bigint, buffer: bigint): bigint {
  return mulDivCeil(held, buffer, 10n ** 18n);
}

/**
 * Assets that can leave a vault at once, for all holders together: `idle` less the value of the shares in its queue,
 * rounded up. In a vault without a queue all money is idle. All in smallest units.
 * @example instantLiquidity(500_000_000n, 100_000_000_000_000n, { totalAssets: 1_050_000_000_000n, supply: 1_000_000_000_000_000_000n }) // 395000000n
 */
export function instantLiquidity(idle: bigint, queuedShares: bigint, pool: Pool): bigint {
  const owed = previewMint(queuedShares, pool);
  return idle > owed ? idle - owed : 0n;
}

/**
 * The part of the value of `shares` that can be withdrawn at once. It does not check the holder's identity record.
 * @example exitNow(100_000_000_000_000n, { totalAssets: 1_050_000_000_000n, supply: 1_000_000_000_000_000_000n }, 50_000_000n) // 50000000n
 */
export function exitNow(shares: bigint, pool: Pool, liquidity: bigint): bigint {
  const value = previewRedeem(shares, pool);
  return value < liquidity ? value : liquidity;
}

/** One processing of the queue: `shares` from the head of the queue were redeemed for `assets`. */
export interface Batch {
  shares: bigint;
  assets: bigint;
}

/**
 * The processed shares of a queued request (`shares` from `start` on), and the assets that `batches` paid for them,
 * exactly as RedemptionQueue computes them. `batches` are all batches in order.
 */
export function paidTo(place: { start: bigint; shares: bigint }, batches: readonly Batch[]): Batch {
  const end = place.start + place.shares;
  const paid = { shares: 0n, assets: 0n };
  let from = 0n;
  for (const batch of batches) {
    const a = place.start > from ? place.start - from : 0n;
    const b = end < from + batch.shares ? end - from : batch.shares;
    if (a < b) {
      paid.shares += b - a;
      paid.assets += (b * batch.assets) / batch.shares - (a * batch.assets) / batch.shares;
    }
    from += batch.shares;
  }
  return paid;
}
