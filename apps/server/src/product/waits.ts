import type { DemandDetail } from "@aqua/sdk/api/product";
import { DAY } from "@aqua/sdk/durations";
import { previewRedeem } from "@aqua/sdk/maths/shares";
import { formatUnits, mulDivFloor } from "@aqua/sdk/maths/units";
import { estimateWait, type Wait } from "@aqua/sdk/maths/wait";
import type { Orm } from "../db/database.ts";
import { poolAt, type VaultState } from "../indexer/world.ts";
import { heldHere, instantCapacity } from "./capacity.ts";
import { aheadFrom, type PastDay, pastDays } from "./flows.ts";
import type { CurrentProduct } from "./store.ts";

/** Amounts in thousandths of all assets. The steps are closer for small amounts, because small exits matter most. */
const CURVE = [5n, 10n, 20n, 50n, 100n, 150n, 200n, 300n, 400n, 500n, 750n, 1_000n];

/** Number of past days that an estimate uses. */
export const MEASURED = 365;

/** Estimates the wait for a withdrawal of `amount` from a vault at `now`, Unix seconds. */
export function waitFor({
  vault,
  past,
  now,
  amount,
}: {
  vault: VaultState;
  past: readonly PastDay[];
  now: number;
  amount: bigint;
}): Wait | null {
  const pool = poolAt(vault, now);
  return estimateWait(aheadFrom(past).slice(-MEASURED), {
    amount,
    instant: instantCapacity(vault, now),
    payableIn: null,
    streamDays: streamDaysOf(vault),
    ahead: previewRedeem(vault.queued, pool),
    idle: heldHere(vault),
  });
}

/** Estimates the wait for `shares` in the queue behind `ahead` other shares. */
export function waitInQueue({
  vault,
  past,
  now,
  place,
}: {
  vault: VaultState;
  past: readonly PastDay[];
  now: number;
  place: { shares: bigint; ahead: bigint; payableFrom: number | null; ready: boolean };
}): Wait | null {
  const pool = poolAt(vault, now);
  return estimateWait(aheadFrom(past).slice(-MEASURED), {
    amount: previewRedeem(place.shares, pool),
    ahead: previewRedeem(place.ahead, pool),
    payableIn: place.ready ? 0 : place.payableFrom === null ? null : daysIn(place.payableFrom - now),
    streamDays: streamDaysOf(vault),
    // An amount in the queue can never leave at once, no matter how small it is.
    instant: -1n,
    idle: heldHere(vault),
  });
}

/** Converts seconds to days, rounded up and at least 0. */
function daysIn(seconds: number): number {
  return Math.max(0, Math.ceil(seconds / DAY));
}

/** Minimum number of days over which a report is streamed. Income that the report covers is payable after them. */
function streamDaysOf({ vestingTime }: VaultState): number {
  return daysIn(vestingTime);
}

/** Returns the size of a typical exit: the mean position. */
function meanPosition(vault: VaultState, now: number): bigint {
  const { totalAssets } = poolAt(vault, now);
  return vault.holders === 0 ? 0n : totalAssets / BigInt(vault.holders);
}

/**
 * Reads the history that an estimate of any exit uses. It is empty if everything can leave at once, because no
 * estimate is needed then.
 */
export async function measuredPast(
  tx: Orm,
  { product, vault }: Pick<CurrentProduct, "product" | "vault">,
  now: number,
): Promise<readonly PastDay[]> {
  const isInstant = poolAt(vault, now).totalAssets <= instantCapacity(vault, now);
  return isInstant ? [] : pastDays(tx, { product, now, most: MEASURED });
}

/** Estimates the wait of a typical exit. It reads the history only if it is needed. */
export async function typicalWait(
  tx: Orm,
  { current: { product, vault }, now, known }: { current: CurrentProduct; now: number; known?: readonly PastDay[] },
): Promise<Wait | null> {
  const amount = meanPosition(vault, now);
  if (amount <= instantCapacity(vault, now)) return { p50: 0, p90: 0 };
  return waitFor({ vault, past: known ?? (await pastDays(tx, { product, now, most: MEASURED })), now, amount });
}

/** Returns the wait by the amount of an exit, from small exits to the whole vault. */
export function exitCurve(
  { product, vault }: Pick<CurrentProduct, "product" | "vault">,
  past: readonly PastDay[],
  now: number,
): DemandDetail["exit_curve"] {
  const total = poolAt(vault, now).totalAssets;
  return CURVE.map((part) => {
    const amount = mulDivFloor(total, part, 1_000n);
    return { amount: formatUnits(amount, product.assetDecimals), wait: waitFor({ vault, past, now, amount }) };
  });
}
