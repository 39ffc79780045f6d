import { and, asc, desc, eq, gt, gte, lt, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { anyOf } from "../db/anyOf.ts";
import type { Orm } from "../db/database.ts";
import { privilegedAct, product, receipt, term, termState } from "../indexer/schema.ts";
import { receiptStatus } from "../indexer/termReplay.ts";
import { newestFirst, ofProduct, oldestFirst } from "../indexer/versions.ts";
import type { Product, ProductState, Receipt, Term, TermState } from "../indexer/world.ts";
import { createCarried } from "./carried.ts";
import { latestListing, momentsOf } from "./store.ts";

export interface CurrentTermProduct {
  product: Product;
  state: ProductState;
  books: TermState;
  /**
   * The loss under review in smallest units, and the time until which it may be taken back, Unix seconds. It stays until the
   * loss is settled. Null if none is under review.
   */
  reviewed: { amount: bigint | null; until: number } | null;
  /** The terms in the order they were added. The index is the id. */
  terms: Term[];
}

/** Whether openings, rollovers and early exits wait at `now` (Unix seconds): for the end of a pause or of a review. */
export const isHeld = ({ books, reviewed }: CurrentTermProduct, now: number) =>
  now < books.pausedUntil || reviewed !== null;

/** Reads every time deposit of a chain with its latest versions, in listing order. */
export async function currentTermProducts(tx: Orm, chainId: number, where?: SQL): Promise<CurrentTermProduct[]> {
  const books = tx
    .select()
    .from(termState)
    .where(ofProduct(termState, product))
    .orderBy(...newestFirst(termState))
    .limit(1)
    .as("books");
  const { name, args, block, logIndex } = privilegedAct;
  const lossAct = tx
    .select({ name, args })
    .from(privilegedAct)
    .where(
      and(
        eq(privilegedAct.chainId, product.chainId),
        eq(privilegedAct.contract, product.address),
        sql`${name} like 'TermLoss%'`,
      ),
    )
    .orderBy(desc(block), desc(logIndex))
    .limit(1)
    .as("loss_act");
  const found = await tx
    .select()
    .from(product)
    .innerJoinLateral(latestListing(tx), sql`true`)
    .innerJoinLateral(books, sql`true`)
    .leftJoinLateral(lossAct, sql`true`)
    .where(and(eq(product.chainId, chainId), where))
    .orderBy(asc(product.block), asc(product.logIndex));
  if (found.length === 0) return [];
  const terms = await tx
    .selectDistinctOn([term.product, term.termId])
    .from(term)
    .where(eq(term.chainId, chainId))
    .orderBy(term.product, term.termId, desc(term.block), desc(term.logIndex));
  return found.map(({ loss_act: act, ...one }) => ({
    ...one,
    reviewed: act?.name === "TermLossReviewed" ? reviewedIn(act.args) : null,
    terms: terms.filter((each) => each.product === one.product.address),
  }));
}

function reviewedIn({ amount, until }: Record<string, string>): CurrentTermProduct["reviewed"] {
  return { amount: amount === undefined ? null : BigInt(amount), until: Number(until) };
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

/**
 * Returns the inflow of each week from `start` to `end` (Unix seconds), in smallest units: new principal plus repayments
 * by the custodian. Deployed money that decreases without a loss has been repaid.
 */
export async function weeklyInflows(
  tx: Orm,
  of: Product,
  { start, end, week }: { start: number; end: number; week: number },
): Promise<bigint[]> {
  const { time, block, logIndex, deposited, deployed, losses } = termState;
  const change = (column: SQLWrapper) =>
    sql<string>`${column} - lag(${column}) over (order by ${time}, ${block}, ${logIndex})`;
  const first = tx
    .select({ time })
    .from(termState)
    .where(and(ofProduct(termState, of), lt(time, start)))
    .orderBy(...newestFirst(termState))
    .limit(1);
  const changes = tx
    .select({
      time,
      deposits: change(deposited).as("deposits"),
      repaid: sql<string>`greatest(0, -(${change(deployed)}) - (${change(losses)}))`.as("repaid"),
    })
    .from(termState)
    .where(and(ofProduct(termState, of), gte(time, sql`coalesce((${first}), ${start})`), lt(time, end)))
    .as("changes");
  const number = sql<string>`(${changes.time} - ${start}::bigint) / ${week}::bigint`.as("week");
  const rows = await tx
    .select({ number, inflow: sql<string>`coalesce(sum(${changes.deposits} + ${changes.repaid}), 0)` })
    .from(changes)
    .where(gte(changes.time, start))
    .groupBy(sql`week`);
  const inflows = Array.from({ length: (end - start) / week }, () => 0n);
  for (const row of rows) inflows[Number(row.number)] = BigInt(row.inflow);
  return inflows;
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

const { receiptId, termId, principal, interest, openedAt, maturity, paid, status, time } = receipt;
const figures = { receiptId, termId, principal, interest, openedAt, maturity, paid, status, time };
/** What the figures of a product need of a version of a receipt. */
export type ReceiptVersion = Pick<Receipt, keyof typeof figures>;
/** Live receipts by number, in opening order. */
type Live = ReadonlyMap<bigint, ReceiptVersion>;

const ofProductIn = (of: Product) => and(eq(receipt.chainId, of.chainId), eq(receipt.product, of.address));
const isLive = ({ status }: ReceiptVersion) => status === receiptStatus.live;

/** Reads the live receipts of a product, in opening order. */
export type LiveReceipts = (tx: Orm, of: Product) => Promise<ReceiptVersion[]>;

export function createLiveReceipts(): LiveReceipts {
  const read = createCarried<Live, ReceiptVersion>({
    async load(tx, of, upTo) {
      const latest = tx
        .selectDistinctOn([receiptId], figures)
        .from(receipt)
        .where(and(ofProductIn(of), lte(receipt.block, upTo)))
        .orderBy(receiptId, desc(receipt.block), desc(receipt.logIndex))
        .as("latest");
      const live = await tx
        .select()
        .from(latest)
        .where(eq(latest.status, receiptStatus.live))
        .orderBy(latest.receiptId);
      return new Map(live.map((version) => [version.receiptId, version]));
    },
    rows: (tx, of, { after, upTo }) =>
      tx
        .select(figures)
        .from(receipt)
        .where(and(ofProductIn(of), gt(receipt.block, after), lte(receipt.block, upTo)))
        .orderBy(asc(receipt.block), asc(receipt.logIndex), asc(receiptId)),
    next(state, versions) {
      if (versions.length === 0) return state;
      const live = new Map(state);
      for (const version of versions) {
        if (isLive(version)) live.set(version.receiptId, version);
        else live.delete(version.receiptId);
      }
      return live;
    },
  });
  return async (tx, of) => [...(await read(tx, of)).values()];
}

/**
 * Reads the versions of a product's receipts that count from `since` (Unix seconds) on, oldest first: all later ones, and
 * the last before `since` of each receipt. `live`: the receipts that are live now.
 */
export async function receiptVersionsSince(
  tx: Orm,
  of: Product,
  { since, live }: { since: number; live: readonly ReceiptVersion[] },
): Promise<ReceiptVersion[]> {
  const later = await tx
    .select(figures)
    .from(receipt)
    .where(and(ofProductIn(of), gt(time, since)))
    .orderBy(asc(receipt.block), asc(receipt.logIndex), asc(receiptId));
  const ids = new Set([...live, ...later].map((version) => version.receiptId));
  const before = await tx
    .selectDistinctOn([receiptId], figures)
    .from(receipt)
    .where(and(ofProductIn(of), anyOf(receiptId, ids), lte(time, since)))
    .orderBy(receiptId, desc(receipt.block), desc(receipt.logIndex));
  return [...before, ...later];
}

/**
 * Yields the live receipts at each of `moments` (Unix seconds, ascending). `versions` are their versions, those up to the
 * first moment in any order of receipts and the others oldest first.
 */
export function* liveAt<Version extends ReceiptVersion>(
  versions: readonly Version[],
  moments: readonly number[],
): Generator<{ time: number; receipts: Version[] }> {
  const live = new Map<bigint, Version>();
  let next = 0;
  for (const time of moments) {
    for (let version = versions[next]; version && version.time <= time; version = versions[next]) {
      if (isLive(version)) live.set(version.receiptId, version);
      else live.delete(version.receiptId);
      next += 1;
    }
    yield { time, receipts: [...live.values()] };
  }
}
