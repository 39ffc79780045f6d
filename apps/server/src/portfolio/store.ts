import { and, asc, count, desc, eq, gt, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { movement, product, vaultState } from "../indexer/schema.ts";
import type { Movement, Product } from "../indexer/state.ts";
import { pendingTransaction } from "./schema.ts";

export type Pending = typeof pendingTransaction.$inferSelect;

export interface HistoryFilter {
  chainIds: readonly number[];
  kind?: string | undefined;
  shortId?: string | undefined;
  /** Unix milliseconds, both included. */
  from?: number | undefined;
  to?: number | undefined;
}

export type HistoryEntry = { movement: Movement; product: Product } | { pending: Pending; product: Product | null };

/** What wallets did, newest first: their movements, and what they announced that is not indexed. */
export async function historyOf(
  tx: Orm,
  wallets: readonly Hex[],
  filter: HistoryFilter,
  page: { limit: number; offset: number },
): Promise<{ entries: HistoryEntry[]; total: number }> {
  if (filter.chainIds.length === 0) return { entries: [], total: 0 };
  const chainIds = [...filter.chainIds];
  const { from, to } = filter;
  const indexed = tx
    .select({
      chainId: sql<string>`${movement.chainId}`.as("chain_id"),
      hash: sql<Hex>`${movement.hash}`.as("hash"),
      wallet: sql<Hex>`${movement.wallet}`.as("wallet"),
      at: sql<string>`${movement.time} * 1000`.as("at"),
      block: sql<string | null>`${movement.block}`.as("block"),
      logIndex: sql<number | null>`${movement.logIndex}`.as("log_index"),
    })
    .from(movement)
    .innerJoin(product, and(eq(product.chainId, movement.chainId), eq(product.address, movement.product)))
    .where(
      and(
        inArray(movement.wallet, [...wallets]),
        inArray(movement.chainId, chainIds),
        filter.kind === undefined ? undefined : eq(sql`${movement.kind}`, filter.kind),
        filter.shortId === undefined ? undefined : eq(product.shortId, filter.shortId),
        from === undefined ? undefined : gte(movement.time, Math.ceil(from / 1_000)),
        to === undefined ? undefined : lte(movement.time, Math.floor(to / 1_000)),
      ),
    );
  const announced = tx
    .select({
      chainId: sql<string>`${pendingTransaction.chainId}`.as("chain_id"),
      hash: sql<Hex>`${pendingTransaction.hash}`.as("hash"),
      wallet: sql<Hex>`${pendingTransaction.address}`.as("wallet"),
      at: sql<string>`${pendingTransaction.createTime}`.as("at"),
      block: sql<string | null>`null::bigint`.as("block"),
      logIndex: sql<number | null>`null::integer`.as("log_index"),
    })
    .from(pendingTransaction)
    .where(
      and(
        inArray(pendingTransaction.address, [...wallets]),
        inArray(pendingTransaction.chainId, chainIds),
        filter.kind === undefined ? undefined : eq(sql`${pendingTransaction.kind}`, filter.kind),
        filter.shortId === undefined ? undefined : eq(pendingTransaction.shortId, filter.shortId),
        from === undefined ? undefined : gte(pendingTransaction.createTime, from),
        to === undefined ? undefined : lte(pendingTransaction.createTime, to),
        eq(pendingTransaction.verified, true),
        notIndexed,
      ),
    );
  const all = unionAll(indexed, announced).as("history");
  const keys = await tx
    .select()
    .from(all)
    .orderBy(sql`at desc, block desc nulls first, log_index desc, hash, wallet`)
    .limit(page.limit)
    .offset(page.offset);
  const [counted] = await tx.select({ total: count() }).from(all);
  return { entries: await entriesOf(tx, keys), total: counted?.total ?? 0 };
}

interface HistoryKey {
  chainId: string;
  hash: Hex;
  wallet: Hex;
  block: string | null;
  logIndex: number | null;
}

async function entriesOf(tx: Orm, keys: readonly HistoryKey[]): Promise<HistoryEntry[]> {
  if (keys.length === 0) return [];
  const hashes = [...new Set(keys.map((key) => key.hash))];
  const wallets = [...new Set(keys.map((key) => key.wallet))];
  const movements = await tx
    .select()
    .from(movement)
    .innerJoin(product, and(eq(product.chainId, movement.chainId), eq(product.address, movement.product)))
    .where(
      and(
        // The chain, too, so that the index of hashes is used and not all that the wallet ever did.
        inArray(movement.chainId, [...new Set(keys.map((key) => Number(key.chainId)))]),
        inArray(movement.hash, hashes),
        inArray(movement.wallet, wallets),
      ),
    );
  const pending = await tx
    .select()
    .from(pendingTransaction)
    .leftJoin(
      product,
      and(eq(product.chainId, pendingTransaction.chainId), eq(product.shortId, pendingTransaction.shortId)),
    )
    .where(and(inArray(pendingTransaction.address, wallets), inArray(pendingTransaction.hash, hashes)));
  const name = (of: { chainId: number | string; block: number | string; logIndex: number; wallet: Hex }) =>
    `${of.chainId}:${of.block}:${of.logIndex}:${of.wallet}`;
  const byPlace = new Map(movements.map((row) => [name(row.movement), row]));
  const byHash = new Map(
    pending.map((row) => [`${row.pending_transaction.chainId}:${row.pending_transaction.hash}`, row]),
  );
  return keys.flatMap((key): HistoryEntry[] => {
    const { block, logIndex } = key;
    if (block !== null && logIndex !== null) {
      const row = byPlace.get(name({ ...key, block, logIndex }));
      return row ? [row] : [];
    }
    const row = byHash.get(`${key.chainId}:${key.hash}`);
    return row ? [{ pending: row.pending_transaction, product: row.product }] : [];
  });
}

/** An announced transaction is told until the indexer has it. */
const notIndexed = sql`not exists (
  select 1 from ${movement} as m where m.chain_id = ${pendingTransaction.chainId} and m.hash = ${pendingTransaction.hash}
)`;

/** Announced, known to the node as the wallet's, and not indexed; newest first. */
export function pendingOf(tx: Orm, wallet: Hex, chainIds: readonly number[]) {
  return tx
    .select()
    .from(pendingTransaction)
    .leftJoin(
      product,
      and(eq(product.chainId, pendingTransaction.chainId), eq(product.shortId, pendingTransaction.shortId)),
    )
    .where(
      and(
        eq(pendingTransaction.address, wallet),
        inArray(pendingTransaction.chainId, [...chainIds]),
        eq(pendingTransaction.status, "pending"),
        eq(pendingTransaction.verified, true),
        notIndexed,
      ),
    )
    .orderBy(desc(pendingTransaction.createTime), asc(pendingTransaction.hash));
}

export async function findPending(tx: Orm, chainId: number, hash: Hex): Promise<Pending | null> {
  const [row] = await tx
    .select()
    .from(pendingTransaction)
    .where(and(eq(pendingTransaction.chainId, chainId), eq(pendingTransaction.hash, hash)));
  return row ?? null;
}

export async function movementOfHash(tx: Orm, chainId: number, hash: Hex, wallet: Hex) {
  const [row] = await tx
    .select()
    .from(movement)
    .innerJoin(product, and(eq(product.chainId, movement.chainId), eq(product.address, movement.product)))
    .where(and(eq(movement.chainId, chainId), eq(movement.hash, hash), eq(movement.wallet, wallet)))
    .orderBy(desc(movement.logIndex))
    .limit(1);
  return row ?? null;
}

export async function productOf(tx: Orm, chainId: number, shortId: string): Promise<Product | null> {
  const [row] = await tx
    .select()
    .from(product)
    .where(and(eq(product.chainId, chainId), eq(product.shortId, shortId)));
  return row ?? null;
}

/** The product whose contract stands at an address. */
export async function productAt(tx: Orm, chainId: number, address: Hex): Promise<Product | null> {
  const [row] = await tx
    .select()
    .from(product)
    .where(and(eq(product.chainId, chainId), eq(product.address, address)));
  return row ?? null;
}

/** The product whose redemption queue is the contract at an address. */
export async function productOfQueue(tx: Orm, chainId: number, queue: Hex): Promise<Product | null> {
  const [row] = await tx
    .select({ product })
    .from(product)
    .where(
      and(
        eq(product.chainId, chainId),
        // The latest state of each product, found by its index.
        sql`(select v.queue from ${vaultState} v where v.chain_id = ${product.chainId} and v.product = ${product.address}
          order by v.block desc, v.log_index desc limit 1) = ${queue}`,
      ),
    );
  return row?.product ?? null;
}

/** Keeps the newest `keep` verified rows of a wallet with this status and removes the rest. */
export function trimPending(tx: Orm, wallet: Hex, status: "pending" | "failed", keep: number): Promise<void> {
  const { address, verified } = pendingTransaction;
  return trim(tx, and(eq(address, wallet), eq(pendingTransaction.status, status), eq(verified, true)), keep);
}

/** Keeps the newest `keep` claims of all and removes the rest. */
export function trimClaims(tx: Orm, keep: number): Promise<void> {
  return trim(tx, eq(pendingTransaction.verified, false), keep);
}

async function trim(tx: Orm, which: SQL | undefined, keep: number): Promise<void> {
  const surplus = await tx
    .select({ chainId: pendingTransaction.chainId, hash: pendingTransaction.hash })
    .from(pendingTransaction)
    .where(which)
    .orderBy(desc(pendingTransaction.createTime), asc(pendingTransaction.hash))
    .offset(keep);
  for (const row of surplus) await removePending(tx, row.chainId, row.hash);
}

export async function removePending(tx: Orm, chainId: number, hash: Hex): Promise<void> {
  await tx
    .delete(pendingTransaction)
    .where(and(eq(pendingTransaction.chainId, chainId), eq(pendingTransaction.hash, hash)));
}

/** Answers false when the hash was announced before; nothing is changed then. */
export async function insertPending(tx: Orm, row: Pending): Promise<boolean> {
  const rows = await tx.insert(pendingTransaction).values(row).onConflictDoNothing().returning();
  return rows.length > 0;
}

export async function updatePending(tx: Orm, row: Pending, change: Partial<Pending>): Promise<void> {
  await tx
    .update(pendingTransaction)
    .set(change)
    .where(and(eq(pendingTransaction.chainId, row.chainId), eq(pendingTransaction.hash, row.hash)));
}

/** A page of what is pending on a chain, claims or what the node has confirmed, by hash, after `after`; and what is indexed. */
export function pendingAfter(
  tx: Orm,
  chainId: number,
  verified: boolean,
  after: Hex,
  limit: number,
): Promise<{ row: Pending; indexed: boolean }[]> {
  return tx
    .select({ row: pendingTransaction, indexed: sql<boolean>`not ${notIndexed}` })
    .from(pendingTransaction)
    .where(
      and(
        eq(pendingTransaction.chainId, chainId),
        eq(pendingTransaction.status, "pending"),
        eq(pendingTransaction.verified, verified),
        gt(pendingTransaction.hash, after),
      ),
    )
    .orderBy(asc(pendingTransaction.hash))
    .limit(limit);
}
