import type { AsOf } from "../api/envelope.ts";
import { DAY_MS } from "../durations.ts";
import { sharePrice, sharePriceDecimals } from "../maths/shares.ts";
import { formatUnits, parseUnits, rescale } from "../maths/units.ts";
import { incomeOf, poolAt } from "./demandFigures.ts";
import { asOfOf, millis, type ProductFigures, productFigures, productMovements, unitsOf } from "./productFigures.ts";
import type { ReportRow } from "./rows.ts";
import { liveReceipts, worthOf } from "./termFigures.ts";
import { type ProductView, type View, versionAt } from "./view.ts";

/** What the API must answer about all products of an instance. Views are in the order of its chains. */

/** The stamp of a total over several chains: that of the chain whose block is the oldest. */
export function oldestOf(views: readonly View[]): Omit<AsOf, "stale"> | undefined {
  const [first] = views.toSorted((a, b) => a.time - b.time);
  return first && asOfOf(first);
}

/** The products of a chain as the API orders them: demand deposits first. */
export function inOrder({ products }: View): ProductView[] {
  const demand = products.filter(({ type }) => type === "demand_deposit");
  return [...demand, ...products.filter(({ type }) => type === "time_deposit")];
}

interface Row {
  of: ProductView;
  figures: ProductFigures;
}

function rowsOf(views: readonly View[]): Row[] {
  return views.flatMap((view) => inOrder(view).map((of) => ({ of, figures: productFigures(view, of) })));
}

/** Every product, those with the largest deposits first. */
export function listFigures(views: readonly View[]): ProductFigures[] {
  const comparable = ({ of, figures }: Row) => {
    const { assetDecimals } = of.product;
    return rescale(parseUnits(figures.tvl, assetDecimals), assetDecimals, 255);
  };
  return rowsOf(views)
    .map((row) => ({ row, tvl: comparable(row) }))
    .sort((a, b) =>
      a.tvl === b.tvl ? a.row.figures.short_id.localeCompare(b.row.figures.short_id) : a.tvl < b.tvl ? 1 : -1,
    )
    .map(({ row }) => row.figures);
}

export function summaryFigures(views: readonly View[]) {
  const totals = new Map<string, { decimals: number; deposits: bigint; income: bigint | null }>();
  const lastReports: number[] = [];
  let [open, positions] = [0, 0];
  for (const view of views) {
    for (const of of inOrder(view)) {
      const { assetSymbol, assetDecimals } = of.product;
      const isDemand = of.type === "demand_deposit";
      const deposits = isDemand
        ? poolAt(of.vault, view.time).totalAssets
        : worthOf(liveReceipts(of), of.books, view.time);
      const income = isDemand ? incomeOf(of) : null;
      const known = totals.get(assetSymbol) ?? { decimals: assetDecimals, deposits: 0n, income: null };
      const decimals = Math.max(known.decimals, assetDecimals);
      const incomes = [
        known.income === null ? null : rescale(known.income, known.decimals, decimals),
        income === null ? null : rescale(income, assetDecimals, decimals),
      ].filter((one) => one !== null);
      totals.set(assetSymbol, {
        decimals,
        deposits: rescale(known.deposits, known.decimals, decimals) + rescale(deposits, assetDecimals, decimals),
        income: incomes.length === 0 ? null : incomes.reduce((sum, one) => sum + one, 0n),
      });
      if (of.state.status === 0) open += 1;
      positions += isDemand ? of.vault.holders : of.books.holders;
      if (isDemand && of.vault.reportTime !== null) lastReports.push(of.vault.reportTime);
    }
  }
  return {
    open,
    positions,
    totals: [...totals].map(([symbol, { decimals, deposits, income }]) => ({
      symbol,
      deposits: formatUnits(deposits, decimals),
      income: income === null ? null : formatUnits(income, decimals),
    })),
    last_report: lastReports.length === 0 ? null : millis(Math.max(...lastReports)),
    as_of: oldestOf(views),
  };
}

const [FEATURED, EVENTS] = [3, 5];
const LONG_WAIT = 7 * DAY_MS;
const NO_EVIDENCE = /^0x0*$/;

export function homeFigures(views: readonly View[]) {
  const rows = rowsOf(views);
  return {
    ...summaryFigures(views),
    featured: featuredOf(rows.map(({ figures }) => figures)),
    report: followedFigures(rows),
    events: eventFigures(rows),
  };
}

function featuredOf(all: readonly ProductFigures[]): ProductFigures[] {
  const waits = ({ wait }: ProductFigures) => (wait !== null && wait.p90 > LONG_WAIT ? 1 : 0);
  const rate = ({ apy }: ProductFigures) => (apy.value === null ? -1 : Number(apy.value));
  const ranked = all.filter(takesDeposits).toSorted((a, b) => waits(a) - waits(b) || rate(b) - rate(a));
  const bests = (["demand_deposit", "time_deposit"] as const).flatMap(
    (type) => ranked.find((one) => one.type === type) ?? [],
  );
  const rest = ranked.filter((one) => !bests.includes(one));
  return [...bests, ...rest].slice(0, FEATURED).toSorted((a, b) => waits(a) - waits(b));
}

function takesDeposits({ status, deposits_paused, type, term, cap, cap_used, asset }: ProductFigures): boolean {
  const units = (amount: string) => parseUnits(amount, asset.decimals);
  return (
    status === "open" &&
    !deposits_paused &&
    (type === "demand_deposit" || term !== null) &&
    units(cap_used) < units(cap)
  );
}

const newestFirst = (a: ReportRow, b: ReportRow) => b.time - a.time || b.block - a.block || b.logIndex - a.logIndex;

/** The newest gain. One that names its evidence comes before others. */
function followedFigures(rows: readonly Row[]) {
  const gains = rows
    .flatMap(({ of, figures }) => {
      if (of.type !== "demand_deposit") return [];
      const [newest] = of.reports.filter(({ delta }) => delta > 0n).sort(newestFirst);
      return newest ? [{ of, figures, newest }] : [];
    })
    .sort((a, b) => b.newest.time - a.newest.time || b.newest.block - a.newest.block);
  const found = gains.find(({ newest }) => !NO_EVIDENCE.test(newest.evidenceRoot)) ?? gains[0];
  if (found === undefined) return null;
  const { of, figures, newest } = found;
  const price = (vault: typeof of.vault, time: number) =>
    formatUnits(sharePrice(poolAt(vault, time)), sharePriceDecimals);
  const then = versionAt(of.vaults, newest.time);
  return {
    product: {
      short_id: figures.short_id,
      symbol: figures.asset.symbol,
      instant_capacity: figures.instant_capacity,
    },
    time: millis(newest.time),
    block: newest.block,
    hash: newest.hash,
    delta: unitsOf(of.product).assets(newest.delta),
    evidence_root: NO_EVIDENCE.test(newest.evidenceRoot) ? null : newest.evidenceRoot,
    price_before: then ? price(then, newest.time) : null,
    price_now: price(of.vault, figures.as_of.time / 1_000),
  };
}

/** The newest movements and reports of all products. */
function eventFigures(rows: readonly Row[]) {
  const events = rows.flatMap(({ of, figures }) => {
    const { chainId } = of.product;
    const { assets } = unitsOf(of.product);
    const product = { short_id: figures.short_id, symbol: figures.asset.symbol };
    const moved = productMovements(of)
      .slice(0, EVENTS)
      .map((row) => ({
        key: `${chainId}-${row.block}-${row.logIndex}`,
        time: millis(row.time),
        product,
        kind: row.kind as string,
        amount: assets(row.assets),
      }));
    const reports = of.type === "demand_deposit" ? of.reports.toSorted(newestFirst).slice(0, EVENTS) : [];
    const reported = reports.map((row) => ({
      key: `${chainId}-${row.block}-${row.logIndex}-report`,
      time: millis(row.time),
      product,
      kind: row.delta < 0n ? "loss" : "report",
      amount: assets(row.delta),
    }));
    return [...moved, ...reported];
  });
  return events.sort((a, b) => b.time - a.time).slice(0, EVENTS);
}
