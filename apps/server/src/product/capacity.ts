import { instantLiquidity } from "@aqua/sdk/maths/exit";
import { formatUnits, mulDivFloor } from "@aqua/sdk/maths/units";
import { poolAt, type VaultState } from "../indexer/world.ts";

const RATIO_DECIMALS = 6;

/**
 * Assets that can leave at once, smallest units, `now` in Unix seconds: the idle money its queue does not wait for, and
 * with a queue nothing beside an old report or while a loss is reviewed.
 */
export function instantCapacity(vault: VaultState, now: number): bigint {
  const pool = poolAt(vault, now);
  if (vault.queue !== null && (now > vault.reportAsOf + vault.maxReportAge || now < vault.reviewUntil)) return 0n;
  const liquidity = instantLiquidity(heldHere(vault), vault.queued, pool);
  return liquidity < pool.totalAssets ? liquidity : pool.totalAssets;
}

/** Assets that belong to the shares, those not yet streamed in among them, smallest units. */
export function heldBy({ settled, streaming }: Pick<VaultState, "settled" | "streaming">): bigint {
  return settled + streaming;
}

/** What of them is here. */
export function heldHere(vault: Pick<VaultState, "settled" | "streaming" | "deployed">): bigint {
  return heldBy(vault) - vault.deployed;
}

export function ratio(part: bigint, whole: bigint): string {
  return formatUnits(mulDivFloor(part, 10n ** BigInt(RATIO_DECIMALS), whole), RATIO_DECIMALS);
}

/** The part of the money that is deployed, rounded down; null when there is none. */
export function utilisationOf(deployed: bigint, idle: bigint): string | null {
  return deployed + idle === 0n ? null : ratio(deployed, deployed + idle);
}
