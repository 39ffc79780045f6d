import type { Transaction } from "@aqua/sdk/api/portfolio";
import type { Performance, Product } from "@aqua/sdk/api/product";
import { type QueryFunctionContext, skipToken, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { freshness } from "../freshness.ts";
import { performanceOptions } from "../products/performance.ts";
import { productTransactionsOptions } from "../products/transactions.ts";
import { queryKeys } from "../query-keys.ts";

/** Reports and transactions are fetched per product; with more products than this, reports are left out. */
const mostProducts = 24;
const latest = 6;

export type Report = Performance["reports"][number] & { product: Product };

/** What the products of an instance have reported so far. */
export interface Reported {
  /** Newest first. */
  reports: Report[];
  performances: { product: Product; performance: Performance }[];
}

export type Loaded<Data> =
  | { state: "loading" }
  | { state: "failed"; error: unknown; retry: () => void }
  | { state: "tooMany" }
  | { state: "ready"; data: Data };

type Client = QueryFunctionContext["client"];

/**
 * One query that fetches an answer for each product, in their order, and fills the cache of each product's own page.
 * Its key is below that of the products, so that whatever invalidates them invalidates it; it holds no texts, which
 * depend on the language. (`useQueries` would do the same but adds 1.3 kB to the initial load.)
 */
function useOfEach<Data>(
  name: string,
  products: readonly Product[] | undefined,
  ask: (client: Client, shortId: string) => Promise<Data>,
): UseQueryResult<Data[]> {
  const ids = products?.map(({ short_id }) => short_id);
  return useQuery({
    queryKey: [...queryKeys.products, name, ids],
    queryFn: ids ? ({ client }) => Promise.all(ids.map((id) => ask(client, id))) : skipToken,
    ...freshness.LAZY,
  });
}

/** Products with the answers of `useOfEach`. */
function paired<Data>(products: readonly Product[] | undefined, answers: readonly Data[]) {
  return answers.flatMap((data, index) => {
    const product = products?.[index];
    return product ? [{ product, data }] : [];
  });
}

function loadedOf<Answer, Data>(answer: UseQueryResult<Answer>, use: (answer: Answer) => Data): Loaded<Data> {
  if (answer.data !== undefined) return { state: "ready", data: use(answer.data) };
  if (answer.isError) return { state: "failed", error: answer.error, retry: () => answer.refetch() };
  return { state: "loading" };
}

export function summariseReports(performances: Reported["performances"]): Reported {
  const reports = performances
    .flatMap(({ product, performance }) => performance.reports.map((report) => ({ ...report, product })))
    .sort((a, b) => b.time - a.time || b.block - a.block);
  return { reports, performances };
}

/** Every report of these products since inception. */
export function useReported(products: readonly Product[] | undefined): Loaded<Reported> {
  const tooMany = products !== undefined && products.length > mostProducts;
  const answer = useOfEach("reports", tooMany ? undefined : products, (client, id) =>
    client.fetchQuery(performanceOptions(id, "all")),
  );
  if (tooMany) return { state: "tooMany" };
  return loadedOf(answer, (each) =>
    summariseReports(paired(products, each).map(({ product, data }) => ({ product, performance: data }))),
  );
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

/** The latest events over all products. */
export function useLatestEvents(
  products: readonly Product[] | undefined,
  reported: Loaded<Reported>,
): Loaded<InstanceEvent[]> {
  const answer = useOfEach("events", products?.slice(0, mostProducts), (client, id) =>
    client.fetchQuery(productTransactionsOptions(id, 1, latest)),
  );
  if (reported.state === "loading") return { state: "loading" };
  return loadedOf(answer, (each) =>
    mergeEvents(
      paired(products, each).map(({ product, data }) => ({ product, items: data.items })),
      reported.state === "ready" ? reported.data.reports : [],
    ),
  );
}
