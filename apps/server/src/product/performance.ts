import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Performance, Range } from "@aqua/sdk/api/product";
import { maxDrawdown } from "@aqua/sdk/maths/apy";
import { grossPrices } from "@aqua/sdk/maths/gross";
import { sharePrice, sharePriceDecimals } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import type { Orm } from "../db/database.ts";
import { type Product, poolAt } from "../indexer/world.ts";
import { anchorsByHead } from "./anchors.ts";
import { apyOver, apySince, unknownApy } from "./apy.ts";
import { momentsOfRange } from "./series.ts";
import {
  type CurrentProduct,
  columnsAt,
  inceptionOf,
  type KeptFees,
  lossesOf,
  pricedColumns,
  reportsOf,
} from "./store.ts";

const WINDOWS = [7, 30, 90, 365];

/** Returns the share price, the APY and the reports of a demand deposit. */
export async function vaultPerformance(
  tx: Orm,
  { current, asOf, range, keptFees }: { current: CurrentProduct; asOf: AsOf; range: Range; keptFees: KeptFees },
): Promise<Performance> {
  const { product, vault } = current;
  const now = asOf.time / 1_000;
  const price = sharePrice(poolAt(vault, now));
  const inception = await inceptionOf(tx, product);
  const apy = [];
  for (const days of WINDOWS) {
    const value = inception === null ? null : await apyOver(tx, { current, days, inception, now });
    apy.push({ window_days: days, ...(value ?? unknownApy) });
  }
  const sinceInception = inception === null ? unknownApy : await apySince(tx, { current, start: inception, now });
  apy.push({ window_days: null, ...sinceInception });

  const moments = inception === null ? [] : momentsOfRange(range, inception, now);
  const points = await pricesAt(tx, product, moments);
  const shown = await reportsOf(tx, product, moments[0] ?? now);
  const gross = grossPrices(
    points.map((point) => ({ price: point.price, time: BigInt(point.time) })),
    await keptFees(tx, product),
  );
  const roots = shown.map(({ report }) => report.evidenceRoot);
  const anchors = await anchorsByHead(tx, product, roots);
  const anchored = (root: (typeof roots)[number]) => {
    const found = anchors.get(root);
    return found ? { number: found.number } : null;
  };
  return {
    short_id: product.shortId,
    type: "demand_deposit" as const,
    share_price: formatUnits(price, sharePriceDecimals),
    apy,
    ...(await worstFallOf(tx, product, inception)),
    series: points.map((point, index) => ({
      time: point.time * 1_000,
      share_price: formatUnits(point.price, sharePriceDecimals),
      gross_price: formatUnits(gross[index] ?? point.price, sharePriceDecimals),
      tvl: formatUnits(point.assets, product.assetDecimals),
      rate: null,
      coverage: null,
    })),
    reports: shown.reverse().map(({ report, fee, takenBackAt }) => ({
      time: report.time * 1_000,
      block: report.block,
      hash: report.hash,
      delta: formatUnits(report.delta, product.assetDecimals),
      fee: formatUnits(fee, product.assetDecimals),
      taken_back: takenBackAt === null ? null : takenBackAt * 1_000,
      as_of_time: report.asOf * 1_000,
      evidence_root: report.evidenceRoot,
      anchored: anchored(report.evidenceRoot),
    })),
    as_of: asOf,
  };
}

/**
 * Returns the largest fall of the price since the first deposit, and when its losses were taken back. Only the report
 * of a loss lowers the price, so the highs and lows are at the moments around those reports. A loss that was taken back
 * counts: the price was lower until then.
 */
export async function worstFallOf(
  tx: Orm,
  product: Product,
  inception: number | null,
): Promise<Pick<Performance, "max_drawdown" | "max_drawdown_taken_back">> {
  if (inception === null) return { max_drawdown: null, max_drawdown_taken_back: null };
  const { losses, takenBack } = await lossesOf(tx, product);
  const times = losses.map(({ time }) => time).filter((time) => time > inception);
  const prices = times.length === 0 ? [] : await pricesAt(tx, product, ascending(times.flatMap((t) => [t - 1, t])));
  const { fall, peak, low } = maxDrawdown(prices.map(({ price }) => price));
  const [from, to] = [prices[peak]?.time ?? 0, prices[low]?.time ?? 0];
  const ends = losses.filter(({ time }) => time > from && time <= to).map((loss) => takenBack.get(loss));
  const known = ends.filter((end) => end !== undefined);
  const reversed = known.length > 0 && known.length === ends.length;
  return { max_drawdown: fall, max_drawdown_taken_back: reversed ? Math.max(...known) * 1_000 : null };
}

async function pricesAt(tx: Orm, product: Product, moments: readonly number[]) {
  return (await columnsAt(tx, { of: product, times: moments, columns: pricedColumns })).map(({ time, vault }) => {
    const pool = poolAt(vault, time);
    return { time, price: sharePrice(pool), assets: pool.totalAssets };
  });
}

function ascending(moments: readonly number[]): number[] {
  return [...new Set(moments)].sort((a, b) => a - b);
}
