import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Performance, Range } from "@aqua/sdk/api/product";
import { maxDrawdown } from "@aqua/sdk/maths/apy";
import { sharePrice, sharePriceDecimals } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import type { Orm } from "../db/database.ts";
import { poolAt } from "../indexer/state.ts";
import { apyOver, apySince, unknownApy } from "./apy.ts";
import { momentsOfRange } from "./series.ts";
import { type CurrentProduct, inceptionOf, reportsSince, vaultAt } from "./store.ts";

const WINDOWS = [7, 30, 90, 365];

/** Share price, APY and reports of a demand deposit. */
export async function vaultPerformance(
  tx: Orm,
  current: CurrentProduct,
  asOf: AsOf,
  range: Range,
): Promise<Performance> {
  const { product, vault } = current;
  const now = asOf.time / 1_000;
  const price = sharePrice(poolAt(vault, now));
  const inception = await inceptionOf(tx, product);
  const apy = [];
  for (const days of WINDOWS) {
    const value = inception === null ? null : await apyOver(tx, current, days, inception, now);
    apy.push({ window_days: days, ...(value ?? unknownApy) });
  }
  const sinceInception = inception === null ? unknownApy : await apySince(tx, current, inception, now);
  apy.push({ window_days: null, ...sinceInception });

  const moments = inception === null ? [] : momentsOfRange(range, inception, now);
  const points = (await vaultAt(tx, product, moments)).map((point) => {
    const pool = poolAt(point.vault, point.time);
    return { time: point.time, price: sharePrice(pool), assets: pool.totalAssets };
  });
  const reports = await reportsSince(tx, product, moments[0] ?? now);
  return {
    short_id: product.shortId,
    type: "demand_deposit" as const,
    share_price: formatUnits(price, sharePriceDecimals),
    apy,
    max_drawdown: maxDrawdown(points.map((point) => point.price)),
    series: points.map((point) => ({
      time: point.time * 1_000,
      share_price: formatUnits(point.price, sharePriceDecimals),
      gross_price: null,
      tvl: formatUnits(point.assets, product.assetDecimals),
      rate: null,
      coverage: null,
    })),
    reports: reports.map((report) => ({
      time: report.time * 1_000,
      block: report.block,
      hash: report.hash,
      delta: formatUnits(report.delta, product.assetDecimals),
      fee: formatUnits(0n, product.assetDecimals),
      as_of_time: report.asOf * 1_000,
      evidence_root: report.evidenceRoot,
    })),
    as_of: asOf,
  };
}
