import type { Transaction } from "@aqua/sdk/api/account";
import type { Performance, Product } from "@aqua/sdk/api/product";
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { isZero, sumAmounts } from "../decimal.ts";
import { performanceOptions } from "../products/performance.ts";
import { productTransactionsOptions } from "../products/transactions.ts";

/** The API has no sum over products yet, so they are asked one by one; beyond this many the sum is left out. */
const mostProducts = 24;
const latest = 6;

export type Report = Performance["reports"][number] & { product: Product };

/** What the products of an instance have reported so far. */
export interface Reported {
  /** Newest first. */
  reports: Report[];
  /** Gains less losses by unit, so that no two currencies are added. */
  sums: { symbol: string; amount: string }[];
  performances: { product: Product; performance: Performance }[];
}

export type Loaded<Data> =
  | { state: "loading" }
  | { state: "failed"; error: unknown; retry: () => void }
  | { state: "tooMany" }
  | { state: "ready"; data: Data };

/** One answer out of many: ready when each is, failed when one is. */
function together<Data>(results: UseQueryResult<Data>[]): Loaded<Data[]> {
  const failed = results.find((result) => result.isError && !result.data);
  if (failed) {
    const retry = () => {
      for (const result of results) if (result.isError) result.refetch();
    };
    return { state: "failed", error: failed.error, retry };
  }
  const data = results.map((result) => result.data).filter((answer) => answer !== undefined);
  return data.length === results.length ? { state: "ready", data } : { state: "loading" };
}

export function summariseReports(performances: Reported["performances"]): Reported {
  const reports = performances
    .flatMap(({ product, performance }) => performance.reports.map((report) => ({ ...report, product })))
    .sort((a, b) => b.time - a.time || b.block - a.block);
  const symbols = [...new Set(performances.map(({ product }) => product.asset.symbol))];
  const sums = symbols.map((symbol) => ({
    symbol,
    amount: sumAmounts(reports.filter(({ product }) => product.asset.symbol === symbol).map(({ delta }) => delta)),
  }));
  return { reports, sums, performances };
}

/** Every report of these products since each began. */
export function useReported(products: readonly Product[] | undefined): Loaded<Reported> {
  const asked = products && products.length <= mostProducts ? products : [];
  const answer = useQueries({
    queries: asked.map((product) => performanceOptions(product.short_id, "all")),
    combine: together,
  });
  if (!products) return { state: "loading" };
  if (products.length > mostProducts) return { state: "tooMany" };
  if (answer.state !== "ready") return answer;
  const performances = asked.flatMap((product) => {
    const performance = answer.data.find((candidate) => candidate.short_id === product.short_id);
    return performance ? [{ product, performance }] : [];
  });
  return { state: "ready", data: summariseReports(performances) };
}

/** The newest report that was a gain, with the price at its moment and now; null when there is none. */
export function newestGain({ reports, performances }: Reported) {
  const report = reports.find(({ delta }) => !delta.startsWith("-") && !isZero(delta));
  const performance = performances.find(({ product }) => product.short_id === report?.product.short_id)?.performance;
  if (!report || !performance) return null;
  const before = performance.series.findLast((point) => point.time <= report.time)?.share_price ?? null;
  return { report, before, now: performance.share_price };
}

export interface InstanceEvent {
  key: string;
  time: number;
  product: Product;
  kind: Transaction["kind"] | "report" | "loss";
  amount: string | null;
}

/** Transactions and reports in one list, newest first. */
export function mergeEvents(
  transactions: readonly { product: Product; items: readonly Transaction[] }[],
  reports: readonly Report[],
): InstanceEvent[] {
  const moved = transactions.flatMap(({ product, items }) =>
    items.map((item) => ({
      key: `${item.chain_id}-${item.hash}-${item.log_index ?? item.kind}`,
      time: item.time,
      product,
      kind: item.kind,
      amount: item.amount,
    })),
  );
  const reported = reports.map((report) => ({
    key: `${report.product.chain_id}-${report.hash}-report-${report.product.short_id}`,
    time: report.time,
    product: report.product,
    kind: report.delta.startsWith("-") ? ("loss" as const) : ("report" as const),
    amount: report.delta,
  }));
  return [...moved, ...reported].sort((a, b) => b.time - a.time).slice(0, latest);
}

/** What happened last, over all products. */
export function useLatestEvents(
  products: readonly Product[] | undefined,
  reported: Loaded<Reported>,
): Loaded<InstanceEvent[]> {
  const asked = products?.slice(0, mostProducts) ?? [];
  const answer = useQueries({
    queries: asked.map((product) => productTransactionsOptions(product.short_id, 1, latest)),
    combine: together,
  });
  if (!products || reported.state === "loading") return { state: "loading" };
  if (answer.state !== "ready") return answer;
  const transactions = asked.flatMap((product, index) => {
    const items = answer.data[index]?.items;
    return items ? [{ product, items }] : [];
  });
  return { state: "ready", data: mergeEvents(transactions, reported.state === "ready" ? reported.data.reports : []) };
}
