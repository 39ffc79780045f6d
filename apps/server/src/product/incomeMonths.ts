import type { DemandDetail } from "@aqua/sdk/api/product";
import { maxDrawdown } from "@aqua/sdk/maths/apy";
import { sharePrice } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { and, asc, eq, gte, lt } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { receipt, report } from "../indexer/schema.ts";
import { type Product, poolAt } from "../indexer/world.ts";
import { columnsAt, pricedColumns } from "./store.ts";

const MONTHS = 12;

type Months = DemandDetail["income_months"];
/** Smallest units of the asset at a moment, Unix seconds. */
type Amount = { time: number; units: bigint };

/** Income of the twelve calendar months (UTC) up to `now`, from the month of `inception` on; Unix seconds. */
export function monthsOf(
  amounts: readonly Amount[],
  span: { inception: number; now: number; decimals: number },
): Months {
  const { inception, now, decimals } = span;
  const starts = monthStarts(now).filter((_, index, all) => (all[index + 1] ?? Number.POSITIVE_INFINITY) > inception);
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    const within = amounts.filter(({ time }) => time >= start && time < end);
    return {
      start: start * 1_000,
      amount: formatUnits(
        within.reduce((sum, { units }) => sum + units, 0n),
        decimals,
      ),
    };
  });
}

/** The first second of the last twelve months, oldest first, the current one last. */
function monthStarts(now: number): number[] {
  const today = new Date(now * 1_000);
  return Array.from(
    { length: MONTHS },
    (_, index) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - (MONTHS - 1 - index)) / 1_000,
  );
}

/** What was reported of a demand deposit since the first of these months: gains, and losses below 0. */
export async function reportedAmounts(tx: Orm, of: Product, now: number): Promise<Amount[]> {
  return tx
    .select({ time: report.time, units: report.delta })
    .from(report)
    .where(
      and(eq(report.chainId, of.chainId), eq(report.product, of.address), gte(report.time, monthStarts(now)[0] ?? now)),
    );
}

/** The interest that was reserved for receipts when they were opened since then, by that moment. */
export async function reservedAmounts(tx: Orm, of: Product, now: number): Promise<Amount[]> {
  const { chainId, product, receiptId, openedAt, interest, block, logIndex } = receipt;
  // The first version of each receipt: an early exit or a winding down changes later ones.
  return tx
    .selectDistinctOn([receiptId], { time: openedAt, units: interest })
    .from(receipt)
    .where(and(eq(chainId, of.chainId), eq(product, of.address), gte(openedAt, monthStarts(now)[0] ?? now)))
    .orderBy(receiptId, asc(block), asc(logIndex));
}

/** The largest fall of the share price from an earlier high, over all time. Between losses the price only rises. */
export async function worstLossOf(tx: Orm, of: Product): Promise<string> {
  const losses = await tx
    .select({ time: report.time })
    .from(report)
    .where(and(eq(report.chainId, of.chainId), eq(report.product, of.address), lt(report.delta, 0n)))
    .orderBy(asc(report.time));
  const moments = [...new Set(losses.flatMap(({ time }) => [time - 1, time]))].sort((a, b) => a - b);
  const points = moments.length === 0 ? [] : await columnsAt(tx, { of, times: moments, columns: pricedColumns });
  return maxDrawdown(points.map(({ time, vault }) => sharePrice(poolAt(vault, time))));
}
