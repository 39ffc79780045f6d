import type { FeeKept } from "@aqua/sdk/maths/gross";
import { and, asc, count, desc, eq, getTableColumns, gt, gte, inArray, lt, lte, ne, type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { movement, privilegedAct, product, productState, report, vaultState } from "../indexer/schema.ts";
import { newestFirst, ofProduct, oldestFirst } from "../indexer/versions.ts";
import type { Movement, Product, ProductState, Report, VaultState } from "../indexer/world.ts";
import { type Blocks, createCarried } from "./carried.ts";

export interface CurrentProduct {
  product: Product;
  state: ProductState;
  vault: VaultState;
}

/** Reads every product of these chains, including delisted ones. */
export function productsOf(tx: Orm, chainIds: readonly number[]): Promise<Product[]> {
  return tx.select().from(product).where(inArray(product.chainId, chainIds));
}

/** Reads the short ids of every product of these chains, including delisted ones. */
export async function productIdsOf(tx: Orm, chainIds: readonly number[]): Promise<string[]> {
  const rows = await tx.select({ id: product.shortId }).from(product).where(inArray(product.chainId, chainIds));
  return rows.map(({ id }) => id);
}

/** Selects the latest registry entry of each joined product, as the relation `state`. */
export function latestListing(tx: Orm) {
  return tx
    .select()
    .from(productState)
    .where(ofProduct(productState, product))
    .orderBy(desc(productState.block), desc(productState.logIndex))
    .limit(1)
    .as("state");
}

/** Reads every product of a chain with its latest versions, in listing order. */
export function currentProducts(tx: Orm, chainId: number, where?: SQL): Promise<CurrentProduct[]> {
  const vault = tx
    .select()
    .from(vaultState)
    .where(ofProduct(vaultState, product))
    .orderBy(...newestFirst(vaultState))
    .limit(1)
    .as("vault");
  return tx
    .select()
    .from(product)
    .innerJoinLateral(latestListing(tx), sql`true`)
    .innerJoinLateral(vault, sql`true`)
    .where(and(eq(product.chainId, chainId), where))
    .orderBy(asc(product.block), asc(product.logIndex));
}

export async function findProduct(tx: Orm, chainId: number, shortId: string): Promise<CurrentProduct | null> {
  const [found] = await currentProducts(tx, chainId, eq(product.shortId, shortId));
  return found ?? null;
}

/** Reads the vault at each of `times` (Unix seconds, ascending). Moments before its creation are omitted. */
export function vaultAt(
  tx: Orm,
  of: Product,
  times: readonly number[],
): Promise<{ time: number; vault: VaultState }[]> {
  return columnsAt(tx, { of, times, columns: getTableColumns(vaultState) });
}

const { supply, settled, streaming, streamStart, streamEnd, feesTaken } = vaultState;
/** The columns that `poolAt` needs. */
export const pricedColumns = { supply, settled, streaming, streamStart, streamEnd };

/**
 * Reads only these columns of the vault at each of `times`. Long series use it because unread columns are then not
 * built.
 */
export async function columnsAt<Columns extends Partial<typeof vaultState._.columns>>(
  tx: Orm,
  { of, times, columns }: { of: Product; times: readonly number[]; columns: Columns },
): Promise<{ time: number; vault: Pick<VaultState, keyof Columns & keyof VaultState> }[]> {
  const then = tx
    .select(columns as typeof vaultState._.columns)
    .from(vaultState)
    .where(and(ofProduct(vaultState, of), lte(vaultState.time, sql`grid.moment`)))
    .orderBy(...newestFirst(vaultState))
    .limit(1)
    .as("vault");
  const rows = await tx.select().from(momentsOf(tx, times)).innerJoinLateral(then, sql`true`).orderBy(sql`grid.moment`);
  return rows.map(({ grid, vault }) => ({ time: Number(grid.moment), vault }));
}

/** Selects a list of moments to join with, as the relation `grid`. */
export function momentsOf(tx: Orm, times: readonly number[]) {
  const moment = sql<string>`moment`.as("moment");
  return tx
    .select({ moment })
    .from(sql`unnest(${`{${times.join(",")}}`}::bigint[]) as moments(moment)`)
    .as("grid");
}

/** Returns the time at which a vault first held assets, Unix seconds. Returns null before that. */
export async function inceptionOf(tx: Orm, of: Product): Promise<number | null> {
  const [first] = await tx
    .select({ time: vaultState.time })
    .from(vaultState)
    .where(and(ofProduct(vaultState, of), gt(vaultState.deposited, 0n)))
    .orderBy(...oldestFirst(vaultState))
    .limit(1);
  return first?.time ?? null;
}

/** A report, and the fee that the operator received from its gain. */
interface ReportWithFee {
  report: Report;
  fee: bigint;
  /** Time at which the confirmer took the loss back (Unix seconds). Null for every other report. */
  takenBackAt: number | null;
}

const isReportOf = (of: Product) => and(eq(report.chainId, of.chainId), eq(report.product, of.address));
/** Joins the vault as it was right after a report. */
const afterReport = and(
  eq(vaultState.chainId, report.chainId),
  eq(vaultState.block, report.block),
  eq(vaultState.logIndex, report.logIndex),
);

/** Reads the income reports of a vault since `since` (Unix seconds), oldest first. */
export async function reportsOf(tx: Orm, of: Product, since: number): Promise<ReportWithFee[]> {
  const read = (where: SQL) =>
    tx
      .select({ report, feesTaken })
      .from(report)
      .innerJoin(vaultState, afterReport)
      .where(and(isReportOf(of), where));
  const rows = await read(gte(report.time, since)).orderBy(asc(report.time), asc(report.block), asc(report.logIndex));
  const [before] = await read(lt(report.time, since))
    .orderBy(desc(report.time), desc(report.block), desc(report.logIndex))
    .limit(1);
  const retractions = await retractionsOf(tx, of);
  return rows.map(({ report, feesTaken }, index) => {
    const next = rows[index + 1]?.report;
    // While a loss is reviewed there is no further report, so a retraction refers to the report before it.
    const retraction = retractions.find((act) => isAfter(act, report) && !(next && isAfter(act, next)));
    return {
      report,
      // Only reports charge a fee.
      fee: feesTaken - ((rows[index - 1] ?? before)?.feesTaken ?? 0n),
      takenBackAt: retraction?.time ?? null,
    };
  });
}

/** Reads the fees that a vault's reports charged, oldest first. */
export type KeptFees = (tx: Orm, of: Product) => Promise<readonly FeeKept[]>;

export function createKeptFees(): KeptFees {
  interface Charged {
    fees: readonly FeeKept[];
    feesTaken: bigint;
  }
  const rows = (tx: Orm, of: Product, { after, upTo }: Blocks) =>
    tx
      .select({ feesTaken, settled, streaming, streamStart, streamEnd })
      .from(report)
      .innerJoin(vaultState, afterReport)
      .where(and(isReportOf(of), gt(report.block, after), lte(report.block, upTo)))
      .orderBy(asc(report.block), asc(report.logIndex));
  type Row = Awaited<ReturnType<typeof rows>>[number];
  function next(state: Charged, more: readonly Row[]): Charged {
    if (more.length === 0) return state;
    const fees = [...state.fees];
    let before = state.feesTaken;
    for (const { feesTaken, settled, streaming, streamStart, streamEnd } of more) {
      const [fee, held] = [feesTaken - before, settled + streaming];
      if (fee > 0n) fees.push({ fee, held, start: BigInt(streamStart), end: BigInt(streamEnd) });
      before = feesTaken;
    }
    return { fees, feesTaken: before };
  }
  const read = createCarried<Charged, Row>({
    load: async (tx, of, upTo) => next({ fees: [], feesTaken: 0n }, await rows(tx, of, { after: -1, upTo })),
    rows,
    next,
  });
  return async (tx, of) => (await read(tx, of)).fees;
}

const isRetraction = eq(privilegedAct.name, "LossTakenBack");

interface LogPlace {
  block: number;
  logIndex: number;
}

function isAfter(a: LogPlace, b: LogPlace): boolean {
  return a.block > b.block || (a.block === b.block && a.logIndex > b.logIndex);
}

/** Reads the acts that took back losses of a vault. */
function retractionsOf(tx: Orm, of: Product) {
  return tx
    .select()
    .from(privilegedAct)
    .where(and(eq(privilegedAct.chainId, of.chainId), eq(privilegedAct.contract, of.address), isRetraction));
}

/** Reads the losses of a vault, oldest first, and of those that were taken back the time of that (Unix seconds). */
export async function lossesOf(
  tx: Orm,
  of: Product,
): Promise<{ losses: Report[]; takenBack: ReadonlyMap<Report, number> }> {
  const losses = await tx
    .select()
    .from(report)
    .where(and(eq(report.chainId, of.chainId), eq(report.product, of.address), lt(report.delta, 0n)))
    .orderBy(asc(report.time), asc(report.block), asc(report.logIndex));
  const retractions = await retractionsOf(tx, of);
  return {
    losses,
    takenBack: new Map(
      retractions.flatMap((act): [Report, number][] => {
        const loss = losses.findLast((loss) => isAfter(act, loss));
        return loss ? [[loss, act.time]] : [];
      }),
    ),
  };
}

/**
 * Returns gains minus losses over all reports, in smallest units, by product. A loss that was taken back does not
 * count. A product without a report has no entry.
 */
export async function incomeByProduct(tx: Orm, chainId: number): Promise<ReadonlyMap<Hex, bigint>> {
  const reported = await tx
    .select({ product: report.product, income: sql<string>`sum(${report.delta})` })
    .from(report)
    .where(eq(report.chainId, chainId))
    .groupBy(report.product);
  const retracted = await tx
    .select({ product: privilegedAct.contract, loss: sql<string>`sum((${privilegedAct.args}->>'assets')::numeric)` })
    .from(privilegedAct)
    .where(and(eq(privilegedAct.chainId, chainId), isRetraction))
    .groupBy(privilegedAct.contract);
  const losses = new Map(retracted.map(({ product, loss }) => [product, BigInt(loss)]));
  return new Map(reported.map(({ product, income }) => [product, BigInt(income) + (losses.get(product) ?? 0n)]));
}

export interface MovementFilter {
  kind?: string | undefined;
  /** Selects one transaction. Both sides of each of its transfers are listed. */
  hash?: Hex | undefined;
  /** Unix seconds, both included. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Numbers of movements of a product, by kind. */
type MovementCounts = (tx: Orm, of: Product) => Promise<ReadonlyMap<string, number>>;

export function createMovementCounts(): MovementCounts {
  const counted = (tx: Orm, of: Product, { after, upTo }: Blocks) =>
    tx
      .select({ kind: movement.kind, number: count() })
      .from(movement)
      .where(
        and(
          eq(movement.chainId, of.chainId),
          eq(movement.product, of.address),
          gt(movement.block, after),
          lte(movement.block, upTo),
        ),
      )
      .groupBy(movement.kind);
  const add = (counts: ReadonlyMap<string, number>, rows: readonly { kind: string; number: number }[]) =>
    new Map([...counts, ...rows.map(({ kind, number }) => [kind, (counts.get(kind) ?? 0) + number] as const)]);
  return createCarried({
    load: async (tx, of, upTo) => add(new Map(), await counted(tx, of, { after: -1, upTo })),
    rows: counted,
    next: add,
  });
}

/** Reads the movements of a product, newest first. A transfer is listed once, from its sender's side. */
export async function movementsOf(
  tx: Orm,
  {
    of,
    filter,
    page,
    counts,
  }: { of: Product; filter: MovementFilter; page: { limit: number; offset: number }; counts: MovementCounts },
): Promise<{ rows: Movement[]; total: number }> {
  const { hash, kind, from, to } = filter;
  const eitherSide = hash === undefined ? ne(movement.kind, "transfer_in") : undefined;
  const where = and(
    eq(movement.chainId, of.chainId),
    eq(movement.product, of.address),
    hash === undefined ? undefined : eq(movement.hash, hash),
    kind === undefined ? eitherSide : eq(sql`${movement.kind}`, kind),
    from === undefined ? undefined : gte(movement.time, from),
    to === undefined ? undefined : lte(movement.time, to),
  );
  const rows = await tx
    .select()
    .from(movement)
    .where(where)
    .orderBy(desc(movement.time), desc(movement.block), desc(movement.logIndex), desc(movement.wallet))
    .limit(page.limit)
    .offset(page.offset);
  if (hash === undefined && from === undefined && to === undefined) {
    const byKind = await counts(tx, of);
    const listed = [...byKind].filter(([one]) => (kind === undefined ? one !== "transfer_in" : one === kind));
    return { rows, total: listed.reduce((sum, [, number]) => sum + number, 0) };
  }
  const [counted] = await tx.select({ total: count() }).from(movement).where(where);
  return { rows, total: counted?.total ?? 0 };
}
