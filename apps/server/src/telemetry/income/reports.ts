import { and, asc, desc, eq, gte, lt, lte, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../../db/database.ts";
import { productState, report, vaultState } from "../../indexer/schema.ts";
import { newestFirst, ofProduct, oldestFirst } from "../../indexer/versions.ts";
import { type Priced, type Product, poolAt, type Report } from "../../indexer/world.ts";
import { type Anchor, anchorsByHead } from "../../product/anchors.ts";
import { pricedColumns } from "../../product/store.ts";
import { headsBuiltHere } from "./heads.ts";

/** A report and the moment (Unix seconds) up to which the previous report covered income. */
export interface WindowReport {
  report: Report;
  from: number;
  /** The batch whose head the report names, if the server has its readings, and the same for the previous report. */
  anchor: Anchor | null;
  anchorBefore: Anchor | null;
  /** The hash of the document that the registry named at the time of the report. Null before the first document. */
  document: Hex | null;
}

/**
 * Returns the reports of a vault from `from` to `to` (Unix seconds, both included) with the windows that they cover,
 * oldest first.
 */
export async function windowsOf(
  tx: Orm,
  product: Product,
  { from, to }: { from: number; to: number },
): Promise<WindowReport[]> {
  const ofVault = and(eq(report.chainId, product.chainId), eq(report.product, product.address));
  const reports = await tx
    .select()
    .from(report)
    .where(and(ofVault, gte(report.time, from), lte(report.time, to)))
    .orderBy(asc(report.time), asc(report.block), asc(report.logIndex));
  if (reports.length === 0) return [];
  const [previous] = await tx
    .select()
    .from(report)
    .where(and(ofVault, lt(report.time, from)))
    .orderBy(desc(report.time), desc(report.block), desc(report.logIndex))
    .limit(1);
  const created = await creationOf(tx, product);
  const heads = [...(previous ? [previous] : []), ...reports].map(({ evidenceRoot }) => evidenceRoot);
  const anchors = await anchorsByHead(tx, product, heads);
  const here = await headsBuiltHere(tx, product, [...anchors.keys()]);
  const named = await documentsOf(tx, product);
  const anchorOf = (report: Report | undefined) =>
    (report && here.has(report.evidenceRoot) && anchors.get(report.evidenceRoot)) || null;
  return reports.map((report, index) => {
    const before = reports[index - 1] ?? previous;
    return {
      report,
      from: before?.asOf ?? created,
      anchor: anchorOf(report),
      anchorBefore: anchorOf(before),
      document: named.findLast(({ block }) => block <= report.block)?.hash ?? null,
    };
  });
}

/**
 * Returns the hashes of the documents that the registry has named for a product, each with its first block, oldest
 * first.
 */
function documentsOf(tx: Orm, product: Product): Promise<{ hash: Hex; block: number }[]> {
  return tx
    .select({ hash: productState.metadataHash, block: productState.block })
    .from(productState)
    .where(ofProduct(productState, product))
    .orderBy(asc(productState.block), asc(productState.logIndex));
}

/** Returns the report of this transaction with its window. Null if the vault has none. */
export async function windowOf(tx: Orm, product: Product, hash: Hex): Promise<WindowReport | null> {
  const [found] = await tx
    .select({ time: report.time })
    .from(report)
    .where(and(eq(report.chainId, product.chainId), eq(report.product, product.address), eq(report.hash, hash)));
  if (found === undefined) return null;
  const windows = await windowsOf(tx, product, { from: found.time, to: found.time });
  return windows.find((window) => window.report.hash === hash) ?? null;
}

/** Returns the moment from which a new vault counts income, Unix seconds. */
export async function creationOf(tx: Orm, product: Product): Promise<number> {
  const [first] = await tx
    .select({ asOf: vaultState.reportAsOf })
    .from(vaultState)
    .where(ofProduct(vaultState, product))
    .orderBy(...oldestFirst(vaultState))
    .limit(1);
  return first?.asOf ?? product.time;
}

/**
 * Returns the accounts at the end of each report's window, by the report's hash. The report's own block is excluded.
 * A report first pays the queue, so a report as of its own second would otherwise use the accounts after that payment.
 */
export async function accountsBefore(
  tx: Orm,
  product: Product,
  reports: readonly Report[],
): Promise<ReadonlyMap<Hex, Priced>> {
  const list = (numbers: readonly number[]) => `{${numbers.join(",")}}`;
  const [ends, blocks] = [list(reports.map(({ asOf }) => asOf)), list(reports.map(({ block }) => block))];
  const row = sql<string>`place`.as("place");
  const moment = sql<string>`moment`.as("moment");
  const block = sql<string>`block`.as("block");
  const grid = tx
    .select({ row, moment, block })
    .from(sql`unnest(${ends}::bigint[], ${blocks}::bigint[]) with ordinality as ends(moment, block, place)`)
    .as("grid");
  const then = tx
    .select(pricedColumns)
    .from(vaultState)
    .where(
      and(
        ofProduct(vaultState, product),
        lte(vaultState.time, sql`grid.moment`),
        lt(vaultState.block, sql`grid.block`),
      ),
    )
    .orderBy(...newestFirst(vaultState))
    .limit(1)
    .as("vault");
  const found = await tx.select().from(grid).innerJoinLateral(then, sql`true`);
  return new Map(
    found.flatMap(({ grid: { row: place }, vault }) => {
      const report = reports[Number(place) - 1];
      return report ? [[report.hash, vault] as const] : [];
    }),
  );
}

/** Returns the total assets at the end of each report's window, by the report's hash, in smallest units. */
export async function assetsBefore(
  tx: Orm,
  product: Product,
  reports: readonly Report[],
): Promise<ReadonlyMap<Hex, bigint>> {
  const accounts = await accountsBefore(tx, product, reports);
  return new Map(
    reports.flatMap(({ hash, asOf }) => {
      const vault = accounts.get(hash);
      return vault ? [[hash, poolAt(vault, asOf).totalAssets] as const] : [];
    }),
  );
}
