import { instantLiquidity } from "@aqua/sdk/maths/exit";
import { formatUnits, mulDivFloor } from "@aqua/sdk/maths/units";
import { poolAt, type VaultState } from "../indexer/world.ts";

const RATIO_DECIMALS = 6;

/**
 * Returns the assets that can leave at once, in smallest units. `now` is in Unix seconds. This is the idle money that
 * the queue does not wait for. A vault with a queue returns 0 if its last report is too old or while a loss is
 * reviewed.
 */
export function instantCapacity(vault: VaultState, now: number): bigint {
  const pool = poolAt(vault, now);
  if (vault.queue !== null && (isReportOld(vault, now) || now < vault.reviewUntil)) return 0n;
  const liquidity = instantLiquidity(heldHere(vault), vault.queued, pool);
  return liquidity < pool.totalAssets ? liquidity : pool.totalAssets;
}

/** Whether the vault refuses every deposit at `now` (Unix seconds) for a time, whatever its cap. */
export function isDepositPaused(vault: VaultState, now: number): boolean {
  const opensAt = Math.max(vault.pausedUntil, vault.lossUntil);
  return now < opensAt || isReportOld(vault, now) || isLapsed(vault.evidenceUntil, now);
}

const isReportOld = ({ reportAsOf, maxReportAge }: VaultState, now: number) => now > reportAsOf + maxReportAge;

/** Whether evidence that is valid until `until` has lapsed at `now`, both Unix seconds. A product without devices has 0. */
export const isLapsed = (until: number, now: number) => until !== 0 && until <= now;

/** Returns the assets that belong to the shares, including those not yet streamed in, in smallest units. */
export function heldBy({ settled, streaming }: Pick<VaultState, "settled" | "streaming">): bigint {
  return settled + streaming;
}

/** Returns the part of these assets that the vault holds itself, without deployed money. */
export function heldHere(vault: Pick<VaultState, "settled" | "streaming" | "deployed">): bigint {
  return heldBy(vault) - vault.deployed;
}

export function ratio(part: bigint, whole: bigint): string {
  return formatUnits(mulDivFloor(part, 10n ** BigInt(RATIO_DECIMALS), whole), RATIO_DECIMALS);
}

/** Returns the ratio of deployed money to all money, rounded down. Returns null if there is no money. */
export function utilisationOf(deployed: bigint, idle: bigint): string | null {
  return deployed + idle === 0n ? null : ratio(deployed, deployed + idle);
}
