import type { IdentityCaseLine } from "@aqua/sdk/api/operator";
import type { Liquidity } from "@aqua/sdk/api/product";
import type { Device, IncomeNext } from "@aqua/sdk/api/telemetry";
import type { Reserves, TransparencySummary } from "@aqua/sdk/api/transparency";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { desk } from "./calls.ts";
import { deskKey } from "./session.ts";

/** Data about persons does not outlast the page that shows it. */
const personal = { gcTime: 0, staleTime: 0 } as const;
const everyMinute = { staleTime: 10_000, refetchInterval: 60_000 } as const;

/** Who is logged in. Asked again every minute, so that a log-in that has ended is noticed. */
export function useDeskState() {
  return useQuery({ queryKey: [...deskKey, "state"], queryFn: ({ signal }) => desk.state(signal), ...everyMinute });
}

export type CaseStatus = IdentityCaseLine["status"];

export function useCases(query: { status: CaseStatus; page: number }, enabled: boolean) {
  return useQuery({
    queryKey: [...deskKey, "cases", query],
    queryFn: ({ signal }) => desk.cases(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    enabled,
    ...personal,
  });
}

export function useCase(id: string) {
  return useQuery({
    queryKey: [...deskKey, "case", id],
    queryFn: ({ signal }) => desk.case(id, signal),
    ...personal,
  });
}

export function useStatus(enabled: boolean) {
  return useQuery({
    queryKey: [...deskKey, "status"],
    queryFn: ({ signal }) => desk.status(signal),
    enabled,
    ...everyMinute,
  });
}

/** A product with an answer about it. `data` is null if the answer could not be loaded. */
export interface OfProduct<Data> {
  product: Reserves;
  data: Data | null;
}

/** Asks about each product. One failure leaves the others; only if all fail, the first reason is thrown. */
async function askEach<Data>(
  products: readonly Reserves[],
  ask: (shortId: string) => Promise<Data>,
): Promise<OfProduct<Data>[]> {
  const answers = await Promise.allSettled(products.map(({ short_id }) => ask(short_id)));
  const [first] = answers;
  if (first?.status === "rejected" && answers.every(({ status }) => status === "rejected")) throw first.reason;
  return products.map((product, index) => {
    const answer = answers[index];
    return { product, data: answer?.status === "fulfilled" ? answer.value : null };
  });
}

function useEach<Data>(
  name: string,
  summary: TransparencySummary | undefined,
  { of, ask }: { of: (product: Reserves) => boolean; ask: (shortId: string, signal: AbortSignal) => Promise<Data> },
) {
  const products = summary?.reserves.filter(of) ?? [];
  return useQuery({
    queryKey: [...deskKey, name, products.map(({ short_id }) => short_id)],
    queryFn: ({ signal }) => askEach(products, (shortId) => ask(shortId, signal)),
    enabled: summary !== undefined,
    placeholderData: keepPreviousData,
    ...everyMinute,
  });
}

const everyProduct = () => true;
const isDemand = ({ type }: Reserves) => type === "demand_deposit";

export function useNextIncomes(summary: TransparencySummary | undefined) {
  return useEach<IncomeNext>("incomes", summary, { of: isDemand, ask: api.incomeNext });
}

export function useQueues(summary: TransparencySummary | undefined) {
  return useEach<Liquidity>("queues", summary, { of: everyProduct, ask: api.productLiquidity });
}

/** The devices in service of all products, the quietest by its own interval first. */
export function useDevicesInService() {
  return useQuery({
    queryKey: [...deskKey, "devices"],
    queryFn: async ({ signal }) => {
      const { feeds } = await api.fleet({}, signal);
      const all = await Promise.all(feeds.map(({ short_id }) => api.devices(short_id, signal)));
      return byQuietness(all.flat().filter(({ status }) => status !== "retired"));
    },
    ...everyMinute,
  });
}

function byQuietness(devices: readonly Device[]): Device[] {
  const now = Date.now();
  const quietness = ({ status, last_seen, interval }: Device) =>
    status === "no_key" || last_seen === null ? Number.MAX_VALUE : (now - last_seen) / interval;
  return [...devices].sort((a, b) => quietness(b) - quietness(a) || a.name.localeCompare(b.name));
}

export const isQuiet = ({ status }: Device) => status !== "online";

/** A report is due if there is income that was not reported, or if the last report is older than the product allows. */
export function isReportDue({ product, data }: OfProduct<IncomeNext>, now: number): boolean {
  const { last_report, max_age } = product;
  const isOld = last_report !== null && max_age !== null && now - last_report > max_age;
  return isOld || data?.verdict === "ready";
}

/** Whether requests wait that only lack money. */
export function lacksCash({ data }: OfProduct<Liquidity>): boolean {
  return data?.queue != null && /[1-9]/.test(data.queue.ready_shares);
}
