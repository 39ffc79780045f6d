import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Liquidity } from "@aqua/sdk/api/product";
import { DAY } from "@aqua/sdk/durations";
import { vaultBuffer } from "@aqua/sdk/maths/exit";
import { previewRedeem } from "@aqua/sdk/maths/shares";
import { formatUnits, mulDivFloor } from "@aqua/sdk/maths/units";
import { inflowWithin } from "@aqua/sdk/maths/wait";
import type { Orm } from "../db/database.ts";
import { waitingRequests } from "../indexer/load.ts";
import { vaultState } from "../indexer/schema.ts";
import { poolAt, type VaultState, type WithdrawalRequest } from "../indexer/world.ts";
import { heldBy, heldHere, instantCapacity, ratio, utilisationOf } from "./capacity.ts";
import { aheadFrom, type PastDay, pastDays } from "./flows.ts";
import { daysAndWeeks } from "./series.ts";
import { type CurrentProduct, columnsAt, inceptionOf, pricedColumns } from "./store.ts";
import { trackRecordOf } from "./trackRecord.ts";
import { exitCurve, MEASURED, typicalWait, waitFor } from "./waits.ts";
import { isReady, waitingOf } from "./withdrawalQueue.ts";

const SCENARIOS = [100n, 300n, 500n];
const DAYS_A_WEEK = 7;
const DAYS_AHEAD = 26 * DAYS_A_WEEK;

/** Returns the money that can leave a demand deposit, the waits for it, and the past flows. */
export async function vaultLiquidity(tx: Orm, current: CurrentProduct, asOf: AsOf): Promise<Liquidity> {
  const { product, vault } = current;
  const now = asOf.time / 1_000;
  const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
  const total = poolAt(vault, now).totalAssets;
  const instant = instantCapacity(vault, now);
  const past = await pastDays(tx, { product, now });
  return {
    short_id: product.shortId,
    type: "demand_deposit" as const,
    winding_down: false,
    instant_capacity: assets(instant),
    idle: assets(heldHere(vault)),
    deployed: assets(vault.deployed),
    total_assets: assets(total),
    unstreamed: assets(heldBy(vault) - total),
    buffer: vault.custodian === null ? null : assets(vaultBuffer(heldBy(vault), vault.buffer)),
    utilisation: utilisationOf(vault.deployed, heldHere(vault)),
    queue: await queueOf(tx, current, now),
    wait: await typicalWait(tx, { current, now, known: past }),
    track_record: vault.queue === null ? null : await trackRecordOf(tx, { current, past, now }),
    exit_curve: exitCurve(current, past, now),
    scenarios: SCENARIOS.map((part) => {
      const amount = mulDivFloor(total, part, 1_000n);
      const atOnce = amount < instant ? amount : instant;
      return {
        part: ratio(part, 1_000n),
        amount: assets(amount),
        instant: assets(atOnce),
        queued: assets(amount - atOnce),
        wait: waitFor({ vault, past, now, amount }),
      };
    }),
    weeks: [],
    inflow_ahead: inflowAhead({ past, now, decimals: product.assetDecimals }),
    history: await historyOf(tx, current, now),
    as_of: asOf,
  };
}

async function queueOf(tx: Orm, current: CurrentProduct, now: number): Promise<Liquidity["queue"]> {
  const { product, vault } = current;
  if (vault.queue === null) return null;
  const places = await waitingRequests(tx, {
    chainId: product.chainId,
    vault: product.address,
    processed: vault.processed,
  });
  const [oldest] = places;
  return {
    requests: places.length,
    shares: formatUnits(vault.queued, product.shareDecimals),
    value: formatUnits(previewRedeem(vault.queued, poolAt(vault, now)), product.assetDecimals),
    ready_shares: formatUnits(readyShares(places, vault, now), product.shareDecimals),
    oldest: oldest ? oldest.requestedAt * 1_000 : null,
    claimable: formatUnits(vault.setAside - vault.claimed, product.assetDecimals),
  };
}

/** Returns the queued shares that wait only for money. */
function readyShares(places: readonly WithdrawalRequest[], vault: VaultState, now: number): bigint {
  const ready = places.filter((place) => isReady(place, vault, now));
  return ready.reduce((sum, place) => sum + waitingOf(place, vault).shares, 0n);
}

const { deployed, queued, deposited, withdrawn } = vaultState;
const historyColumns = { ...pricedColumns, deployed, queued, deposited, withdrawn };

async function historyOf(tx: Orm, { product }: CurrentProduct, now: number): Promise<Liquidity["history"]> {
  const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
  const inception = await inceptionOf(tx, product);
  const moments = inception === null ? [] : daysAndWeeks(inception, now);
  const points = await columnsAt(tx, { of: product, times: moments, columns: historyColumns });
  return points.map(({ time, vault }, index) => {
    const before = points[index - 1]?.vault ?? { deposited: 0n, withdrawn: 0n };
    const pool = poolAt(vault, time);
    return {
      time: time * 1_000,
      idle: assets(heldHere(vault)),
      total_assets: assets(pool.totalAssets),
      deposits: assets(vault.deposited - before.deposited),
      withdrawals: assets(vault.withdrawn - before.withdrawn),
      queued: assets(previewRedeem(vault.queued, pool)),
    };
  });
}

/** Returns the money expected to become available in each week. The estimate uses the same measure as the waits. */
function inflowAhead({
  past,
  now,
  decimals,
}: {
  past: readonly PastDay[];
  now: number;
  decimals: number;
}): Liquidity["inflow_ahead"] {
  const days = inflowWithin(aheadFrom(past).slice(-MEASURED), DAYS_AHEAD);
  return days
    .map(({ p50, p90 }, index) => ({
      time: (now + (index + 1) * DAY) * 1_000,
      p50: formatUnits(p50, decimals),
      p90: formatUnits(p90, decimals),
    }))
    .filter((_, index) => (index + 1) % DAYS_A_WEEK === 0);
}
