import type { DemandDetail } from "@aqua/sdk/api/product";
import { formatUnits } from "@aqua/sdk/maths/units";
import { and, asc, eq, gte, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { receipt, report } from "../indexer/schema.ts";
import type { Product } from "../indexer/world.ts";
import { lossesOf } from "./store.ts";

const MONTHS = 12;

type Months = DemandDetail["income_months"];
/** An amount in smallest units of the asset at a moment, Unix seconds. */
type Amount = { time: number; units: bigint };

/**
 * Returns the income of the twelve calendar months (UTC) up to `now`, from the month of `inception` on. Both are in
 * Unix seconds.
 */
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

/** Returns the first second of each of the last twelve months, oldest first. The current month is the last one. */
function monthStarts(now: number): number[] {
  const today = new Date(now * 1_000);
  return Array.from(
    { length: MONTHS },
    (_, index) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - (MONTHS - 1 - index)) / 1_000,
  );
}

/**
 * Returns the reported amounts of a demand deposit since the first of these months: gains, and negative losses that
 * were not taken back.
 */
export async function reportedAmounts(tx: Orm, of: Product, now: number): Promise<Amount[]> {
  const since = monthStarts(now)[0] ?? now;
  const gains = await tx
    .select({ time: report.time, units: report.delta })
    .from(report)
    .where(
      and(
        eq(report.chainId, of.chainId),
        eq(report.product, of.address),
        gte(report.time, since),
        gte(report.delta, 0n),
      ),
    );
  const { losses, takenBack } = await lossesOf(tx, of);
  const lastingLosses = losses.filter((loss) => loss.time >= since && !takenBack.has(loss));
  return [...gains, ...lastingLosses.map(({ time, delta }) => ({ time, units: delta }))];
}

/** Returns the interest reserved for receipts opened since the first of these months, summed by month of the opening. */
export async function reservedAmounts(tx: Orm, of: Product, now: number): Promise<Amount[]> {
  const { chainId, product, receiptId, openedAt, interest, time, block, logIndex } = receipt;
  const starts = monthStarts(now);
  const since = starts[0] ?? now;
  const month = sql<number>`width_bucket(${openedAt}, ${`{${starts.join(",")}}`}::bigint[])`.as("month");
  // Only the first version of each receipt counts, because an early exit or a wind-down changes later ones.
  const opened = tx
    .selectDistinctOn([receiptId], { month, interest })
    .from(receipt)
    .where(and(eq(chainId, of.chainId), eq(product, of.address), gte(time, since), gte(openedAt, since)))
    .orderBy(receiptId, asc(block), asc(logIndex))
    .as("opened");
  const sums = await tx
    .select({ month: opened.month, units: sql<string>`sum(${opened.interest})` })
    .from(opened)
    .groupBy(opened.month);
  return sums.map((sum) => ({ time: starts[sum.month - 1] ?? since, units: BigInt(sum.units) }));
}
