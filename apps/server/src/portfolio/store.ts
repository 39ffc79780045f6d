import { and, asc, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { list, listOf, packed, statement } from "../db/statement.ts";
import { movement, product, vaultState } from "../indexer/schema.ts";
import type { Movement, Product } from "../indexer/world.ts";
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

const movements = packed(movement);
const pendings = packed(pendingTransaction);
const products = packed(product);
const wallets = list("wallets", "text");
const chains = list("chains", "bigint");
const kind = sql`${sql.placeholder("kind")}::text`;
const shortId = sql`${sql.placeholder("shortId")}::text`;
const [from, to] = [sql`${sql.placeholder("from")}::bigint`, sql`${sql.placeholder("to")}::bigint`];

type Values = readonly unknown[];
type Entry = [movement: Values | null, pending: Values | null, product: Values | null];
interface Page extends Record<string, unknown> {
  limit: number;
  offset: number;
}

/** `from` and `to` are Unix milliseconds. */
const readHistory = statement<
  Page & { wallets: string; chains: string; kind: string | null; shortId: string | null; from: number; to: number },
  { total: number; entries: Entry[] | null }
>(
  "wallet_history",
  sql`with found as materialized (
    select m.chain_id, m.hash, m.wallet, m.time * 1000 as at, m.block, m.log_index
    from movement m join product l on l.chain_id = m.chain_id and l.address = m.product
    where m.wallet = any(${wallets}::text[]) and m.chain_id = any(${chains}::bigint[]) and (${kind} is null or m.kind = ${kind})
      and (${shortId} is null or l.short_id = ${shortId}) and m.time * 1000 between ${from} and ${to}
    union all
    select p.chain_id, p.hash, p.address, p.create_time, null::bigint, null::integer
    from pending_transaction p
    where p.address = any(${wallets}::text[]) and p.chain_id = any(${chains}::bigint[]) and (${kind} is null or p.kind = ${kind})
      and (${shortId} is null or p.short_id = ${shortId}) and p.create_time between ${from} and ${to}
      and p.verified and not exists (select 1 from movement m where m.chain_id = p.chain_id and m.hash = p.hash)
  ), page as (
    select row_number() over () as number, sorted.* from (
      select * from found order by at desc, block desc nulls first, log_index desc, hash, wallet
      limit ${sql.placeholder("limit")}::bigint offset ${sql.placeholder("offset")}::bigint
    ) as sorted
  )
  select (select count(*)::int from found) as total, (
    select json_agg(json_build_array(
      case when m.chain_id is not null then ${movements.json("m")} end,
      case when p.chain_id is not null then ${pendings.json("p")} end,
      case when l.chain_id is not null then ${products.json("l")} end
    ) order by page.number)
    from page
    left join movement m on m.chain_id = page.chain_id and m.block = page.block and m.log_index = page.log_index
      and m.wallet = page.wallet
    left join pending_transaction p on page.block is null and p.chain_id = page.chain_id and p.hash = page.hash
    left join product l on l.chain_id = page.chain_id
      and (l.address = m.product or (page.block is null and l.short_id = p.short_id))
  ) as entries`,
);

/**
 * Reads the history of wallets, newest first: their movements, and their announced transactions that are not indexed.
 */
export async function historyOf(
  tx: Orm,
  { addresses, filter, page }: { addresses: readonly Hex[]; filter: HistoryFilter; page: Page },
): Promise<{ entries: HistoryEntry[]; total: number }> {
  const { chainIds, kind: only = null, shortId: id = null } = filter;
  const { from: first = 0, to: last = Number.MAX_SAFE_INTEGER } = filter;
  const rows = await readHistory(tx, {
    wallets: listOf(addresses),
    chains: listOf(chainIds),
    kind: only,
    shortId: id,
    from: first,
    to: last,
    ...page,
  });
  const [{ total, entries } = { total: 0, entries: null }] = rows;
  return { entries: (entries ?? []).flatMap(readEntry), total };
}

function readEntry([moved, announced, listed]: Entry): HistoryEntry[] {
  const found = listed && products.unpack(listed);
  if (moved && found) return [{ movement: movements.unpack(moved), product: found }];
  return announced ? [{ pending: pendings.unpack(announced), product: found }] : [];
}

/** An announced transaction is listed until the indexer has indexed it. */
const notIndexed = sql`not exists (
  select 1 from ${movement} as m where m.chain_id = ${pendingTransaction.chainId} and m.hash = ${pendingTransaction.hash}
)`;

/**
 * Reads the announced transactions that the node has confirmed as the wallet's and that are not indexed, newest
 * first.
 */
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

export async function movementOfHash(tx: Orm, { chainId, hash, wallet }: { chainId: number; hash: Hex; wallet: Hex }) {
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

/** Returns the product whose contract is at an address. */
export async function productAt(tx: Orm, chainId: number, address: Hex): Promise<Product | null> {
  const [row] = await tx
    .select()
    .from(product)
    .where(and(eq(product.chainId, chainId), eq(product.address, address)));
  return row ?? null;
}

/** Returns the product whose redemption queue is the contract at an address. */
export async function productOfQueue(tx: Orm, chainId: number, queue: Hex): Promise<Product | null> {
  const [row] = await tx
    .select({ product })
    .from(product)
    .where(
      and(
        eq(product.chainId, chainId),
        // Finds the latest state of each product through its index.
        sql`(select v.queue from ${vaultState} v where v.chain_id = ${product.chainId} and v.product = ${product.address}
          order by v.block desc, v.log_index desc limit 1) = ${queue}`,
      ),
    );
  return row?.product ?? null;
}

/** Retains the newest `keep` verified rows of a wallet with this status and removes the others. */
export function trimPending(
  tx: Orm,
  { wallet, status, keep }: { wallet: Hex; status: "pending" | "failed"; keep: number },
): Promise<void> {
  const { address, verified } = pendingTransaction;
  return trim(tx, and(eq(address, wallet), eq(pendingTransaction.status, status), eq(verified, true)), keep);
}

/** Retains the newest `keep` claims of all wallets and removes the others. */
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

/** Returns false and changes nothing if the hash was announced before. */
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

const onePending = statement<Record<string, never>, { found: number }>(
  "one_pending_transaction",
  sql`select 1 as found from pending_transaction p where p.status = 'pending' limit 1`,
);

/** Returns true if any transaction is pending on any chain. */
export async function isAnythingPending(tx: Orm): Promise<boolean> {
  return (await onePending(tx, {})).length > 0;
}

/**
 * Reads a page of the pending rows of a chain, sorted by hash, after `after`. `verified` selects confirmed rows or
 * claims. Each row says whether it is indexed.
 */
export function pendingAfter(
  tx: Orm,
  { chainId, verified, after, limit }: { chainId: number; verified: boolean; after: Hex; limit: number },
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
