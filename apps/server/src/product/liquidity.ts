import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Liquidity } from "@aqua/sdk/api/product";
import { previewRedeem } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import type { Orm } from "../db/database.ts";
import { poolAt } from "../indexer/state.ts";
import { idleOf, instantCapacity } from "./capacity.ts";
import { momentsOfRange } from "./series.ts";
import { type CurrentProduct, inceptionOf, vaultAt } from "./store.ts";

/** What can leave a demand deposit, when, and what came and went. */
export async function vaultLiquidity(tx: Orm, current: CurrentProduct, asOf: AsOf): Promise<Liquidity> {
  const { product, vault } = current;
  const now = asOf.time / 1_000;
  const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
  const total = poolAt(vault, now).totalAssets;
  const inception = await inceptionOf(tx, product);
  const moments = inception === null ? [] : momentsOfRange("all", inception, now);
  const points = await vaultAt(tx, product, moments);
  return {
    short_id: product.shortId,
    type: "demand_deposit" as const,
    instant_capacity: assets(instantCapacity(vault, now)),
    idle: assets(idleOf(vault, total)),
    deployed: assets(vault.deployed),
    total_assets: assets(total),
    buffer: null,
    utilisation: null,
    queue: null,
    wait: null,
    track_record: null,
    exit_curve: [],
    scenarios: [],
    weeks: [],
    history: points.map((point, index) => {
      const before = points[index - 1]?.vault ?? { deposited: 0n, withdrawn: 0n };
      const held = poolAt(point.vault, point.time).totalAssets;
      return {
        time: point.time * 1_000,
        idle: assets(idleOf(point.vault, held)),
        total_assets: assets(held),
        deposits: assets(point.vault.deposited - before.deposited),
        withdrawals: assets(point.vault.withdrawn - before.withdrawn),
        queued: assets(previewRedeem(point.vault.queued, poolAt(point.vault, point.time))),
      };
    }),
    as_of: asOf,
  };
}
