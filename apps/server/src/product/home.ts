import type { FollowedReport, Home, InstanceEvent } from "@aqua/sdk/api/home";
import type { Product as ListedProduct } from "@aqua/sdk/api/product";
import { DAY_MS } from "@aqua/sdk/durations";
import { sharePrice, sharePriceDecimals } from "@aqua/sdk/maths/shares";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { and, desc, eq, gt, ne } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { movement, report } from "../indexer/schema.ts";
import { toTransaction } from "../indexer/transactions.ts";
import { type Product, poolAt, type Report } from "../indexer/world.ts";
import { type CurrentProduct, columnsAt, pricedColumns } from "./store.ts";
import type { CurrentTermProduct } from "./termStore.ts";

const FEATURED = 3;
const EVENTS = 5;
/** Milliseconds. A product with a longer wait ranks behind those with a shorter one, regardless of its rate. */
const LONG_WAIT = 7 * DAY_MS;
const NO_EVIDENCE = /^0x0*$/;

/** A listed product with the rows it was built from. */
export interface Listed {
  product: ListedProduct;
  current: CurrentProduct | CurrentTermProduct;
}

/** Traces a report to its reading and batch. All fields are null if the server does not have the readings. */
export type TraceReport = (
  tx: Orm,
  product: Product,
  report: Report,
) => Promise<Pick<FollowedReport, "reading" | "batch">>;

/**
 * Selects the products for a depositor: the best open product of each type, then the best of the others. Products
 * with a short wait rank first. Within each group, the highest rate is best.
 */
export function featuredOf(products: readonly ListedProduct[]): ListedProduct[] {
  const waits = ({ wait }: ListedProduct) => (wait !== null && wait.p90 > LONG_WAIT ? 1 : 0);
  const rate = ({ apy }: ListedProduct) => (apy.value === null ? -1 : Number(apy.value));
  const ranked = products.filter(takesDeposits).toSorted((a, b) => waits(a) - waits(b) || rate(b) - rate(a));
  const bests = (["demand_deposit", "time_deposit"] as const).flatMap(
    (type) => ranked.find((one) => one.type === type) ?? [],
  );
  const rest = ranked.filter((one) => !bests.includes(one));
  return [...bests, ...rest].slice(0, FEATURED).toSorted((a, b) => waits(a) - waits(b));
}

function takesDeposits({ status, deposits_paused, type, term, cap, cap_used, asset }: ListedProduct): boolean {
  const units = (amount: string) => parseUnits(amount, asset.decimals);
  return (
    status === "open" &&
    !deposits_paused &&
    (type === "demand_deposit" || term !== null) &&
    cap_used !== null &&
    units(cap_used) < units(cap)
  );
}

/** Returns the parts of Home other than the summary. */
export async function homeOf(
  tx: Orm,
  listed: readonly Listed[],
  trace: TraceReport,
): Promise<Pick<Home, "featured" | "report" | "events">> {
  return {
    featured: featuredOf(listed.map(({ product }) => product)),
    report: await newestGain(tx, listed, trace),
    events: await eventsOf(tx, listed),
  };
}

const namedOf = ({ short_id, name, asset }: ListedProduct) => ({ short_id, name, symbol: asset.symbol });

/**
 * Returns the newest gain over all products. A gain that names its evidence comes before others, because it can be
 * traced further.
 */
async function newestGain(tx: Orm, listed: readonly Listed[], trace: TraceReport): Promise<FollowedReport | null> {
  const gains = [];
  for (const { product, current } of listed) {
    if (!("vault" in current)) continue;
    const [newest] = await reportsOf(tx, current.product, { gains: true, limit: 1 });
    if (newest) gains.push({ product, current, newest });
  }
  gains.sort((a, b) => b.newest.time - a.newest.time || b.newest.block - a.newest.block);
  const found = gains.find(({ newest }) => !NO_EVIDENCE.test(newest.evidenceRoot)) ?? gains[0];
  if (!found) return null;
  const { product, current, newest } = found;
  const price = (of: Parameters<typeof poolAt>[0], time: number) =>
    formatUnits(sharePrice(poolAt(of, time)), sharePriceDecimals);
  const [then] = await columnsAt(tx, { of: current.product, times: [newest.time], columns: pricedColumns });
  const bare = NO_EVIDENCE.test(newest.evidenceRoot);
  return {
    product: {
      ...namedOf(product),
      asset_class: product.asset_class,
      location: product.location,
      instant_capacity: product.instant_capacity,
    },
    time: newest.time * 1_000,
    block: newest.block,
    hash: newest.hash,
    delta: formatUnits(newest.delta, current.product.assetDecimals),
    evidence_root: bare ? null : newest.evidenceRoot,
    price_before: then ? price(then.vault, then.time) : null,
    price_now: price(current.vault, product.as_of.time / 1_000),
    ...(bare ? { reading: null, batch: null } : await trace(tx, current.product, newest)),
  };
}

/** Returns the newest reports of a product. */
function reportsOf(tx: Orm, of: Product, { gains, limit }: { gains: boolean; limit: number }): Promise<Report[]> {
  return tx
    .select()
    .from(report)
    .where(
      and(eq(report.chainId, of.chainId), eq(report.product, of.address), gains ? gt(report.delta, 0n) : undefined),
    )
    .orderBy(desc(report.time), desc(report.block), desc(report.logIndex))
    .limit(limit);
}

/** Returns the newest movements and reports of all products. Each transfer appears once. */
async function eventsOf(tx: Orm, listed: readonly Listed[]): Promise<InstanceEvent[]> {
  const events: InstanceEvent[] = [];
  for (const { product, current } of listed) {
    const of = current.product;
    const moved = await tx
      .select()
      .from(movement)
      .where(and(eq(movement.chainId, of.chainId), eq(movement.product, of.address), ne(movement.kind, "transfer_in")))
      .orderBy(desc(movement.time), desc(movement.block), desc(movement.logIndex))
      .limit(EVENTS);
    for (const row of moved) {
      const { kind, amount, time } = toTransaction(row, of);
      events.push({ key: `${of.chainId}-${row.block}-${row.logIndex}`, time, product: namedOf(product), kind, amount });
    }
    for (const row of await reportsOf(tx, of, { gains: false, limit: EVENTS }))
      events.push({
        key: `${of.chainId}-${row.block}-${row.logIndex}-report`,
        time: row.time * 1_000,
        product: namedOf(product),
        kind: row.delta < 0n ? "loss" : "report",
        amount: formatUnits(row.delta, of.assetDecimals),
      });
  }
  return events.sort((a, b) => b.time - a.time).slice(0, EVENTS);
}
