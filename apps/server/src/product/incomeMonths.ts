import type { DemandDetail } from "@aqua/sdk/api/product";
import { formatUnits } from "@aqua/sdk/maths/units";
import { and, asc, eq, gt, gte, lte, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { receipt, report } from "../indexer/schema.ts";
import type { Product } from "../indexer/world.ts";
import { createCarried } from "./carried.ts";
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

/** Interest reserved for the receipts of a product by month of their opening, and the number of its newest receipt. */
interface Reserved {
  months: ReadonlyMap<number, bigint>;
  newest: bigint;
}

/** Returns a function that reads the interest reserved for receipts by month of the opening, oldest first. */
export function createReservedAmounts(): (tx: Orm, of: Product) => Promise<Amount[]> {
  const { chainId, product, receiptId, openedAt, interest, block, logIndex } = receipt;
  const read = createCarried<Reserved, { receiptId: bigint; openedAt: number; interest: bigint }>({
    async load(tx, of, upTo) {
      // Only the first version of each receipt counts, because an early exit or a wind-down changes later ones.
      const opened = tx
        .selectDistinctOn([receiptId], { receiptId, openedAt, interest })
        .from(receipt)
        .where(and(eq(chainId, of.chainId), eq(product, of.address), lte(block, upTo)))
        .orderBy(receiptId, asc(block), asc(logIndex))
        .as("opened");
      const month = sql<string>`extract(epoch from date_trunc('month', to_timestamp(${opened.openedAt}), 'UTC'))`;
      const sums = await tx
        .select({
          month: month.as("month"),
          units: sql<string>`sum(${opened.interest})`,
          newest: sql<string>`max(${opened.receiptId})`,
        })
        .from(opened)
        .groupBy(sql`month`)
        .orderBy(sql`month`);
      const months = new Map(sums.map((sum) => [Number(sum.month), BigInt(sum.units)]));
      const newest = sums.reduce((most, sum) => (BigInt(sum.newest) > most ? BigInt(sum.newest) : most), -1n);
      return { months, newest };
    },
    rows: (tx, of, { after, upTo }) =>
      tx
        .select({ receiptId, openedAt, interest })
        .from(receipt)
        .where(and(eq(chainId, of.chainId), eq(product, of.address), gt(block, after), lte(block, upTo)))
        .orderBy(asc(block), asc(logIndex), asc(receiptId)),
    next(state, versions) {
      const months = new Map(state.months);
      let { newest } = state;
      for (const version of versions) {
        // A contract numbers its receipts in ascending order.
        if (version.receiptId <= newest) continue;
        newest = version.receiptId;
        const month = monthOf(version.openedAt);
        months.set(month, (months.get(month) ?? 0n) + version.interest);
      }
      return { months, newest };
    },
  });
  return async (tx, of) => [...(await read(tx, of)).months].map(([time, units]) => ({ time, units }));
}

/** Returns the first second of the month of `time` in UTC. */
function monthOf(time: number): number {
  const day = new Date(time * 1_000);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth()) / 1_000;
}
