import { and, asc, desc, eq, gt, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { product, receipt, term, termState } from "../indexer/schema.ts";
import { receiptStatus } from "../indexer/termReplay.ts";
import { newestFirst, ofProduct, oldestFirst } from "../indexer/versions.ts";
import type { Product, ProductState, Receipt, Term, TermState } from "../indexer/world.ts";
import { latestListing, momentsOf } from "./store.ts";

export interface CurrentTermProduct {
  product: Product;
  state: ProductState;
  books: TermState;
  /** The terms in the order they were added. The index is the id. */
  terms: Term[];
}

/** Reads every time deposit of a chain with its latest versions, in listing order. */
export async function currentTermProducts(tx: Orm, chainId: number, where?: SQL): Promise<CurrentTermProduct[]> {
  const books = tx
    .select()
    .from(termState)
    .where(ofProduct(termState, product))
    .orderBy(...newestFirst(termState))
    .limit(1)
    .as("books");
  const found = await tx
    .select()
    .from(product)
    .innerJoinLateral(latestListing(tx), sql`true`)
    .innerJoinLateral(books, sql`true`)
    .where(and(eq(product.chainId, chainId), where))
    .orderBy(asc(product.block), asc(product.logIndex));
  if (found.length === 0) return [];
  const terms = await tx
    .selectDistinctOn([term.product, term.termId])
    .from(term)
    .where(eq(term.chainId, chainId))
    .orderBy(term.product, term.termId, desc(term.block), desc(term.logIndex));
  return found.map((one) => ({ ...one, terms: terms.filter((each) => each.product === one.product.address) }));
}

export async function findTermProduct(tx: Orm, chainId: number, shortId: string): Promise<CurrentTermProduct | null> {
  const [found] = await currentTermProducts(tx, chainId, eq(product.shortId, shortId));
  return found ?? null;
}

/** Reads the accounts at each of `times` (Unix seconds, ascending). Moments before the creation are omitted. */
export async function termStateAt(
  tx: Orm,
  of: Product,
  times: readonly number[],
): Promise<{ time: number; books: TermState }[]> {
  const then = tx
    .select()
    .from(termState)
    .where(and(ofProduct(termState, of), lte(termState.time, sql`grid.moment`)))
    .orderBy(...newestFirst(termState))
    .limit(1)
    .as("books");
  const rows = await tx.select().from(momentsOf(tx, times)).innerJoinLateral(then, sql`true`).orderBy(sql`grid.moment`);
  return rows.map(({ grid, books }) => ({ time: Number(grid.moment), books }));
}

/** Reads the accounts at `since` (Unix seconds), and then the accounts after each later event, oldest first. */
export async function termStatesSince(tx: Orm, of: Product, since: number): Promise<TermState[]> {
  const ofThisProduct = ofProduct(termState, of);
  const before = await tx
    .select()
    .from(termState)
    .where(and(ofThisProduct, lt(termState.time, since)))
    .orderBy(...newestFirst(termState))
    .limit(1);
  const after = await tx
    .select()
    .from(termState)
    .where(and(ofThisProduct, gte(termState.time, since)))
    .orderBy(...oldestFirst(termState));
  return [...before, ...after];
}

/** Returns the time at which a time deposit first held a deposit, Unix seconds. Returns null before that. */
export async function firstDepositOf(tx: Orm, of: Product): Promise<number | null> {
  const [first] = await tx
    .select({ time: termState.time })
    .from(termState)
    .where(and(ofProduct(termState, of), gt(termState.deposited, 0n)))
    .orderBy(...oldestFirst(termState))
    .limit(1);
  return first?.time ?? null;
}

/** Reads the live receipts of a product, in opening order. */
export async function liveReceipts(tx: Orm, of: Product): Promise<Receipt[]> {
  const latest = await tx
    .selectDistinctOn([receipt.receiptId])
    .from(receipt)
    .where(and(eq(receipt.chainId, of.chainId), eq(receipt.product, of.address)))
    .orderBy(receipt.receiptId, desc(receipt.block), desc(receipt.logIndex));
  return latest.filter(({ status }) => status === receiptStatus.live);
}

/** Reads every version of a product's receipts, oldest first. */
export function receiptVersions(tx: Orm, of: Product): Promise<Receipt[]> {
  return tx
    .select()
    .from(receipt)
    .where(and(eq(receipt.chainId, of.chainId), eq(receipt.product, of.address)))
    .orderBy(asc(receipt.block), asc(receipt.logIndex), asc(receipt.receiptId));
}

/**
 * Yields the live receipts at each of `moments` (Unix seconds, ascending). `versions` are all their versions, oldest
 * first.
 */
export function* liveAt(
  versions: readonly Receipt[],
  moments: readonly number[],
): Generator<{ time: number; receipts: Receipt[] }> {
  const live = new Map<bigint, Receipt>();
  let next = 0;
  for (const time of moments) {
    for (let version = versions[next]; version && version.time <= time; version = versions[next]) {
      if (version.status === receiptStatus.live) live.set(version.receiptId, version);
      else live.delete(version.receiptId);
      next += 1;
    }
    yield { time, receipts: [...live.values()] };
  }
}
