import { and, asc, count, desc, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { identityRecord, movement, position, product } from "../indexer/schema.ts";
import type { IdentityRecord, Movement, PositionState, Product } from "../indexer/state.ts";
import type { CurrentProduct } from "../product/store.ts";
import { momentsOf } from "../product/store.ts";
import { pendingTransaction } from "./schema.ts";

export type Pending = typeof pendingTransaction.$inferSelect;

/** The latest position of a wallet in each of the given products of one chain; products it never held are left out. */
export async function currentPositions(tx: Orm, chainId: number, wallet: Hex): Promise<Map<Hex, PositionState>> {
  const latest = tx
    .select()
    .from(position)
    .where(
      and(eq(position.wallet, wallet), eq(position.chainId, product.chainId), eq(position.product, product.address)),
    )
    .orderBy(desc(position.time), desc(position.block), desc(position.logIndex))
    .limit(1)
    .as("latest");
  const rows = await tx.select().from(product).innerJoinLateral(latest, sql`true`).where(eq(product.chainId, chainId));
  return new Map(rows.map(({ latest }) => [latest.product, latest]));
}

/** The position as it stood at each of `times` (Unix seconds, ascending); moments before the first movement are left out. */
export async function positionAt(
  tx: Orm,
  of: CurrentProduct["product"],
  wallet: Hex,
  times: readonly number[],
): Promise<Map<number, PositionState>> {
  const then = tx
    .select()
    .from(position)
    .where(
      and(
        eq(position.wallet, wallet),
        eq(position.chainId, of.chainId),
        eq(position.product, of.address),
        lte(position.time, sql`grid.moment`),
      ),
    )
    .orderBy(desc(position.time), desc(position.block), desc(position.logIndex))
    .limit(1)
    .as("then_");
  const rows = await tx.select().from(momentsOf(tx, times)).innerJoinLateral(then, sql`true`);
  return new Map(rows.map(({ grid, then_ }) => [Number(grid.moment), then_]));
}

/** A wallet's record in the identity registry; null when it was never bound. */
export async function identityOf(tx: Orm, chainId: number, wallet: Hex): Promise<IdentityRecord | null> {
  const [row] = await tx
    .select()
    .from(identityRecord)
    .where(and(eq(identityRecord.chainId, chainId), eq(identityRecord.wallet, wallet)))
    .orderBy(desc(identityRecord.block), desc(identityRecord.logIndex))
    .limit(1);
  return row ?? null;
}

/** All movements of a wallet in some products, oldest first. */
export async function movementsOf(
  tx: Orm,
  chainId: number,
  wallet: Hex,
  products: readonly Hex[],
): Promise<Movement[]> {
  if (products.length === 0) return [];
  return tx
    .select()
    .from(movement)
    .where(and(eq(movement.wallet, wallet), eq(movement.chainId, chainId), inArray(movement.product, [...products])))
    .orderBy(asc(movement.time), asc(movement.block), asc(movement.logIndex));
}

export interface HistoryFilter {
  chainIds: readonly number[];
  kind?: string | undefined;
  shortId?: string | undefined;
  /** Unix milliseconds, both included. */
  from?: number | undefined;
  to?: number | undefined;
}

export type HistoryEntry = { movement: Movement; product: Product } | { pending: Pending; product: Product | null };

/** What a wallet did, newest first: its movements, and what it announced that is not indexed. */
export async function historyOf(
  tx: Orm,
  wallet: Hex,
  filter: HistoryFilter,
  page: { limit: number; offset: number },
): Promise<{ entries: HistoryEntry[]; total: number }> {
  if (filter.chainIds.length === 0) return { entries: [], total: 0 };
  const chainIds = [...filter.chainIds];
  const at = sql<string>`${movement.time} * 1000`;
  const indexed = tx
    .select({
      chainId: sql<string>`${movement.chainId}`.as("chain_id"),
      hash: sql<Hex>`${movement.hash}`.as("hash"),
      at: at.as("at"),
      block: sql<string | null>`${movement.block}`.as("block"),
      logIndex: sql<number | null>`${movement.logIndex}`.as("log_index"),
    })
    .from(movement)
    .innerJoin(product, and(eq(product.chainId, movement.chainId), eq(product.address, movement.product)))
    .where(
      and(
        eq(movement.wallet, wallet),
        inArray(movement.chainId, chainIds),
        filter.kind === undefined ? undefined : eq(sql`${movement.kind}`, filter.kind),
        filter.shortId === undefined ? undefined : eq(product.shortId, filter.shortId),
        ...within(at, filter),
      ),
    );
  const announcedAt = sql<string>`${pendingTransaction.createTime}`;
  const announced = tx
    .select({
      chainId: sql<string>`${pendingTransaction.chainId}`.as("chain_id"),
      hash: sql<Hex>`${pendingTransaction.hash}`.as("hash"),
      at: announcedAt.as("at"),
      block: sql<string | null>`null::bigint`.as("block"),
      logIndex: sql<number | null>`null::integer`.as("log_index"),
    })
    .from(pendingTransaction)
    .where(
      and(
        eq(pendingTransaction.address, wallet),
        inArray(pendingTransaction.chainId, chainIds),
        filter.kind === undefined ? undefined : eq(pendingTransaction.kind, filter.kind),
        filter.shortId === undefined ? undefined : eq(pendingTransaction.shortId, filter.shortId),
        ...within(announcedAt, filter),
        notIndexed,
      ),
    );
  const all = unionAll(indexed, announced).as("history");
  const keys = await tx
    .select()
    .from(all)
    .orderBy(sql`at desc, block desc nulls first, log_index desc, hash`)
    .limit(page.limit)
    .offset(page.offset);
  const [counted] = await tx.select({ total: count() }).from(all);
  return { entries: await entriesOf(tx, wallet, keys), total: counted?.total ?? 0 };
}

interface HistoryKey {
  chainId: string;
  hash: Hex;
  block: string | null;
  logIndex: number | null;
}

async function entriesOf(tx: Orm, wallet: Hex, keys: readonly HistoryKey[]): Promise<HistoryEntry[]> {
  if (keys.length === 0) return [];
  const hashes = [...new Set(keys.map((key) => key.hash))];
  const movements = await tx
    .select()
    .from(movement)
    .innerJoin(product, and(eq(product.chainId, movement.chainId), eq(product.address, movement.product)))
    .where(and(eq(movement.wallet, wallet), inArray(movement.hash, hashes)));
  const pending = await tx
    .select()
    .from(pendingTransaction)
    .leftJoin(
      product,
      and(eq(product.chainId, pendingTransaction.chainId), eq(product.shortId, pendingTransaction.shortId)),
    )
    .where(and(eq(pendingTransaction.address, wallet), inArray(pendingTransaction.hash, hashes)));
  const name = (chainId: number | string, block: number | string, logIndex: number) =>
    `${chainId}:${block}:${logIndex}`;
  const byPlace = new Map(
    movements.map((row) => [name(row.movement.chainId, row.movement.block, row.movement.logIndex), row]),
  );
  const byHash = new Map(
    pending.map((row) => [`${row.pending_transaction.chainId}:${row.pending_transaction.hash}`, row]),
  );
  return keys.flatMap((key): HistoryEntry[] => {
    if (key.block !== null && key.logIndex !== null) {
      const row = byPlace.get(name(key.chainId, key.block, key.logIndex));
      return row ? [row] : [];
    }
    const row = byHash.get(`${key.chainId}:${key.hash}`);
    return row ? [{ pending: row.pending_transaction, product: row.product }] : [];
  });
}

function within(at: SQL, { from, to }: HistoryFilter): (SQL | undefined)[] {
  return [from === undefined ? undefined : sql`${at} >= ${from}`, to === undefined ? undefined : sql`${at} <= ${to}`];
}

/** An announced transaction is told until the indexer has it. */
const notIndexed = sql`not exists (
  select 1 from ${movement} as m where m.chain_id = ${pendingTransaction.chainId} and m.hash = ${pendingTransaction.hash}
)`;

/** Announced and not indexed, newest first. */
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

/** Keeps the newest `keep` rows of a wallet with this status and mark, and removes the rest. */
export async function trimPending(
  tx: Orm,
  wallet: Hex,
  of: { status: "pending" | "failed"; verified?: boolean },
  keep: number,
): Promise<void> {
  const surplus = await tx
    .select({ chainId: pendingTransaction.chainId, hash: pendingTransaction.hash })
    .from(pendingTransaction)
    .where(
      and(
        eq(pendingTransaction.address, wallet),
        eq(pendingTransaction.status, of.status),
        of.verified === undefined ? undefined : eq(pendingTransaction.verified, of.verified),
      ),
    )
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

/** A page of what is still pending on a chain, in the order of hashes, after `after`. */
export function pendingAfter(tx: Orm, chainId: number, after: Hex, limit: number): Promise<Pending[]> {
  return tx
    .select()
    .from(pendingTransaction)
    .where(
      and(
        eq(pendingTransaction.chainId, chainId),
        eq(pendingTransaction.status, "pending"),
        gt(pendingTransaction.hash, after),
      ),
    )
    .orderBy(asc(pendingTransaction.hash))
    .limit(limit);
}

/** Whether a transaction has any movement. */
export async function isIndexed(tx: Orm, chainId: number, hash: Hex): Promise<boolean> {
  const [row] = await tx
    .select({ block: movement.block })
    .from(movement)
    .where(and(eq(movement.chainId, chainId), eq(movement.hash, hash)))
    .limit(1);
  return row !== undefined;
}
