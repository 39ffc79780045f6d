import { instantLiquidity } from "@aqua/sdk/maths/exit";
import { poolAt, type VaultState } from "../indexer/state.ts";

/**
 * Assets that can leave at once, smallest units, `now` in Unix seconds: the idle money its queue does not wait for, and
 * with a queue nothing beside an old report.
 */
export function instantCapacity(vault: VaultState, now: number): bigint {
  const pool = poolAt(vault, now);
  if (vault.queue !== null && now > vault.reportAsOf + vault.maxReportAge) return 0n;
  const liquidity = instantLiquidity(heldHere(vault), vault.queued, pool);
  return liquidity < pool.totalAssets ? liquidity : pool.totalAssets;
}

/** Assets that are here and belong to the shares, those not yet streamed in among them, smallest units. */
export function heldHere({ settled, streaming, deployed }: VaultState): bigint {
  return settled + streaming - deployed;
}

/** Assets of `total` that are not with the custodian, smallest units. */
export function idleOf(vault: VaultState, total: bigint): bigint {
  return total > vault.deployed ? total - vault.deployed : 0n;
}
