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

/** Of all assets, in thousandths: small exits matter most, and are nearer to one another. */
const CURVE = [5n, 10n, 20n, 50n, 100n, 150n, 200n, 300n, 400n, 500n, 750n, 1_000n];

/** Days back that an estimate is measured on. */
export const MEASURED = 365;

/** The wait for leaving with `amount` of a vault at `now`, Unix seconds. */
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

/** The wait for `shares` in the queue behind `ahead` other shares. */
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
    // What waits can never leave at once, however small it is.
    instant: -1n,
    idle: heldHere(vault),
  });
}

/** Days, up to whole ones, between two moments this many seconds apart. */
function daysIn(seconds: number): number {
  return Math.max(0, Math.ceil(seconds / DAY));
}

/** Days over which a report is streamed at least: what it covers is payable after them. */
function streamDaysOf({ vestingTime }: VaultState): number {
  return daysIn(vestingTime);
}

/** A typical exit: of the mean position. */
function meanPosition(vault: VaultState, now: number): bigint {
  const { totalAssets } = poolAt(vault, now);
  return vault.holders === 0 ? 0n : totalAssets / BigInt(vault.holders);
}

/** What an estimate of any exit is measured on; empty where everything can leave at once, since none is needed then. */
export async function measuredPast(
  tx: Orm,
  { product, vault }: Pick<CurrentProduct, "product" | "vault">,
  now: number,
): Promise<readonly PastDay[]> {
  const isInstant = poolAt(vault, now).totalAssets <= instantCapacity(vault, now);
  return isInstant ? [] : pastDays(tx, { product, now, most: MEASURED });
}

/** The wait of a typical exit. The past is read where it is needed only. */
export async function typicalWait(
  tx: Orm,
  { current: { product, vault }, now, known }: { current: CurrentProduct; now: number; known?: readonly PastDay[] },
): Promise<Wait | null> {
  const amount = meanPosition(vault, now);
  if (amount <= instantCapacity(vault, now)) return { p50: 0, p90: 0 };
  return waitFor({ vault, past: known ?? (await pastDays(tx, { product, now, most: MEASURED })), now, amount });
}

/** The wait by the amount of an exit, from small exits to everything. */
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
