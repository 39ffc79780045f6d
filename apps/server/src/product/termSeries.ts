import type { AsOf } from "@aqua/sdk/api/envelope";
import type { Liquidity, Performance, Range } from "@aqua/sdk/api/product";
import { YEAR } from "@aqua/sdk/durations";
import { bufferOf, coverageOf, type Receipt as ReceiptFigures } from "@aqua/sdk/maths/receipts";
import { formatUnits } from "@aqua/sdk/maths/units";
import type { Orm } from "../db/database.ts";
import { accountsOf } from "../indexer/termReplay.ts";
import { utilisationOf } from "./capacity.ts";
import { daysAndWeeks, leftOfWeek, momentsOfRange, WEEK, weekOf, weeksFrom } from "./series.ts";
import { figuresIn, formatRatio, termCapacity, worthOf } from "./termOffers.ts";
import {
  type CurrentTermProduct,
  firstDepositOf,
  type LiveReceipts,
  liveAt,
  receiptVersionsSince,
  termStateAt,
  weeklyInflows,
} from "./termStore.ts";

/** Maturities are listed for at most one year ahead. */
const FURTHEST = YEAR;
/**
 * Number of past full weeks that measure the usual inflow of a week. With fewer than the minimum, a median is
 * meaningless.
 */
const PAST_WEEKS = 12;
const MIN_PAST_WEEKS = 4;

/**
 * Returns the chart data of a time deposit: the amount owed so far, the mean rate, and the assets that cover it. A
 * time deposit has no share price.
 */
export async function termPerformance(
  tx: Orm,
  {
    current: { product, terms },
    asOf,
    range,
    liveReceipts,
  }: { current: CurrentTermProduct; asOf: AsOf; range: Range; liveReceipts: LiveReceipts },
): Promise<Performance> {
  const inception = await firstDepositOf(tx, product);
  const moments = inception === null ? [] : momentsOfRange(range, inception, asOf.time / 1_000);
  const states = new Map((await termStateAt(tx, product, moments)).map(({ time, books }) => [time, books]));
  const series: Performance["series"] = [];
  const [since = 0] = moments;
  const read = await receiptVersionsSince(tx, product, { since, live: await liveReceipts(tx, product) });
  const figuresOfAll = figuresIn(terms, read);
  const versions = read.map((version, index) => ({ ...version, figures: figuresOfAll[index] as ReceiptFigures }));
  for (const { time, receipts } of liveAt(versions, moments)) {
    const books = states.get(time);
    if (!books) continue;
    const figures = receipts.map((receipt) => receipt.figures);
    const coverage = coverageOf(accountsOf(books));
    series.push({
      time: time * 1_000,
      tvl: formatUnits(worthOf(figures, books, time), product.assetDecimals),
      share_price: null,
      gross_price: null,
      rate: meanRate(figures),
      coverage: coverage === null ? null : formatRatio(coverage),
    });
  }
  return {
    short_id: product.shortId,
    type: "time_deposit",
    share_price: null,
    apy: [],
    max_drawdown: null,
    max_drawdown_taken_back: null,
    series,
    reports: [],
    as_of: asOf,
  };
}

/** Returns the mean rate of receipts, weighted by principal and rounded down. Returns null if there are none. */
function meanRate(receipts: readonly ReceiptFigures[]): string | null {
  let [principal, weighted] = [0n, 0n];
  for (const receipt of receipts) {
    principal += receipt.principal;
    weighted += receipt.principal * receipt.rate;
  }
  return principal === 0n ? null : formatRatio(weighted / principal);
}

export async function termLiquidity(
  tx: Orm,
  { current, asOf, liveReceipts }: { current: CurrentTermProduct; asOf: AsOf; liveReceipts: LiveReceipts },
): Promise<Liquidity> {
  const { product, books, terms } = current;
  const now = asOf.time / 1_000;
  const assets = (units: bigint) => formatUnits(units, product.assetDecimals);
  const receipts = figuresIn(terms, await liveReceipts(tx, product));
  const inception = await firstDepositOf(tx, product);
  const moments = inception === null ? [] : daysAndWeeks(inception, now);
  const points = await termStateAt(tx, product, moments);
  const windingDown = books.claims > 0n;
  return {
    short_id: product.shortId,
    type: "time_deposit",
    winding_down: windingDown,
    instant_capacity: assets(termCapacity(receipts, current, now)),
    idle: assets(books.cash),
    deployed: assets(books.deployed),
    total_assets: assets(books.cash + books.deployed),
    unstreamed: assets(0n),
    buffer: assets(books.claims > 0n ? 0n : books.reserved + bufferOf(accountsOf(books))),
    utilisation: utilisationOf(books.deployed, books.cash),
    queue: null,
    wait: null,
    track_record: null,
    exit_curve: [],
    scenarios: [],
    inflow_ahead: [],
    weeks: windingDown
      ? []
      : weeksAhead({ receipts, now, inflow: await usualInflow(tx, { current, inception, now }), assets }),
    history: points.map(({ time, books: then }, index) => {
      const before = points[index - 1]?.books ?? { deposited: 0n, paidOut: 0n };
      return {
        time: time * 1_000,
        idle: assets(then.cash),
        total_assets: assets(then.cash + then.deployed),
        deposits: assets(then.deposited - before.deposited),
        withdrawals: assets(then.paidOut - before.paidOut),
        queued: assets(0n),
      };
    }),
    as_of: asOf,
  };
}

/**
 * Returns the amounts that mature in each week. Matured amounts that were not collected are due in the first week.
 */
function weeksAhead({
  receipts,
  now,
  inflow,
  assets,
}: {
  receipts: readonly ReceiptFigures[];
  now: number;
  inflow: bigint | null;
  assets: (units: bigint) => string;
}): Liquidity["weeks"] {
  const due = new Map<number, bigint>();
  let last = now;
  for (const { principal, interest, maturity } of receipts) {
    const time = Math.max(now, Number(maturity));
    due.set(weekOf(time), (due.get(weekOf(time)) ?? 0n) + principal + interest);
    last = Math.max(last, Math.min(time, now + FURTHEST));
  }
  return weeksFrom(now, last).map((start) => ({
    start: start * 1_000,
    maturities: assets(due.get(start) ?? 0n),
    expected_inflow: inflow === null ? null : assets(leftOfWeek(inflow, start, now)),
  }));
}

/**
 * Returns the median inflow of past full weeks: new principal plus repayments by the custodian. For an even number of
 * weeks it is the lower of the two middle values. Payments to owners are not subtracted, because maturities are
 * listed week by week. Returns null if there are too few weeks.
 */
async function usualInflow(
  tx: Orm,
  { current: { product }, inception, now }: { current: CurrentTermProduct; inception: number | null; now: number },
): Promise<bigint | null> {
  if (inception === null) return null;
  const end = weekOf(now);
  const start = Math.max(end - PAST_WEEKS * WEEK, weekOf(inception + WEEK - 1));
  if (end - start < MIN_PAST_WEEKS * WEEK) return null;
  const sorted = (await weeklyInflows(tx, product, { start, end, week: WEEK })).sort((a, b) =>
    a < b ? -1 : a > b ? 1 : 0,
  );
  return sorted[(sorted.length - 1) >> 1] ?? null;
}
