import type { Liquidity } from "@aqua/sdk/api/product";
import { formatUnits } from "@aqua/sdk/maths/units";
import type { Orm } from "../db/database.ts";
import type { PastDay } from "./flows.ts";
import { batchesBeyond, requestsMade } from "./queueStore.ts";
import type { CurrentProduct } from "./store.ts";
import { waitInQueue } from "./waits.ts";

/** Number of the newest requests that are scored. */
const MAX_SCORED = 100;
const RATIO_DECIMALS = 6;

/**
 * Measures the accuracy of past estimates. For each of the newest requests, it computes the estimate that was shown
 * at that time, from the data known then, and compares it with the time of full processing. A request that still
 * waits counts as late once its P90 has passed, and does not count before. Returns null if no request was ever made.
 */
export async function trackRecordOf(
  tx: Orm,
  { current: { product }, past, now }: { current: CurrentProduct; past: readonly PastDay[]; now: number },
): Promise<Liquidity["track_record"]> {
  const requests = await requestsMade(tx, product, MAX_SCORED);
  const oldest = requests.at(-1);
  if (!oldest) return null;
  const batches = await batchesBeyond(tx, product, oldest.place.start);
  let [scored, withinP50, withinP90] = [0, 0, 0];
  for (const { place, vault_state: vault } of requests) {
    const known = past.filter((day) => day.end <= place.time);
    const before = place.start > vault.processed ? place.start - vault.processed : 0n;
    const wait = waitInQueue({
      vault,
      past: known,
      now: place.time,
      place: { shares: place.shares, ahead: before, payableFrom: null, ready: false },
    });
    if (!wait) continue;
    const paid = batches.find((batch) => batch.end >= place.start + place.shares);
    const took = ((paid?.time ?? now) - place.time) * 1_000;
    if (!paid && took <= wait.p90) continue;
    scored += 1;
    if (paid && took <= wait.p50) withinP50 += 1;
    if (paid && took <= wait.p90) withinP90 += 1;
  }
  const part = (within: number) =>
    scored === 0 ? null : formatUnits(BigInt(Math.floor((within * 10 ** RATIO_DECIMALS) / scored)), RATIO_DECIMALS);
  return { scored, within_p50: part(withinP50), within_p90: part(withinP90) };
}
