import { type SQL, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { list, listOf, packed, statement } from "../db/statement.ts";
import { movement, position, receipt, termState, vaultState } from "../indexer/schema.ts";
import { type Cursor, cursorColumns, type IndexedChain } from "../indexer/stamp.ts";
import { receiptStatus } from "../indexer/termReplay.ts";
import type { Movement, PositionState, Priced, Receipt, TermState } from "../indexer/world.ts";

type Values = readonly unknown[];

const positions = packed(position);
const movements = packed(movement);
const receipts = packed(receipt);
const books = packed(termState);
const pools = packed(vaultState, ["supply", "settled", "streaming", "streamStart", "streamEnd"]);

const wallets = list("wallets", "text");
const chain = sql`${sql.placeholder("chain")}::bigint`;
const product = sql`${sql.placeholder("product")}::text`;
const from = sql`${sql.placeholder("from")}::bigint`;
const to = sql`${sql.placeholder("to")}::bigint`;

/** Everything that a wallet has on one chain, and the block at which it was read. */
export interface Belongings {
  chainId: number;
  wallet: Hex;
  cursor: Cursor;
  /** The latest version of the wallet's position in each product that it ever held. */
  positions: PositionState[];
  /** Whether the wallet's record in the identity registry is frozen. Null if the wallet was never bound. */
  frozen: boolean | null;
  /** The live receipts that the wallet owns, in order of their numbers. */
  receipts: Receipt[];
}

const readBelongings = statement<
  { chains: string; wallets: string },
  Cursor & { wallet: Hex; positions: Values[] | null; frozen: boolean | null; receipts: Values[] | null }
>(
  "wallet_belongings",
  sql`select ${cursorColumns}, asked.wallet,
    (select json_agg(${positions.json("p")} order by l.block, l.log_index) from product l cross join lateral (
      select v.* from position v where v.wallet = asked.wallet and v.chain_id = l.chain_id and v.product = l.address
      order by v.time desc, v.block desc, v.log_index desc limit 1
    ) p where l.chain_id = c.chain_id) as positions,
    (select v.frozen from identity_record v where v.chain_id = c.chain_id and v.wallet = asked.wallet
      order by v.block desc, v.log_index desc limit 1) as frozen,
    (select json_agg(${receipts.json("r")} order by r.receipt_id) from (
      select distinct o.product, o.receipt_id from receipt o where o.owner = asked.wallet and o.chain_id = c.chain_id
    ) ever cross join lateral (
      select v.* from receipt v
      where v.chain_id = c.chain_id and v.product = ever.product and v.receipt_id = ever.receipt_id
      order by v.block desc, v.log_index desc limit 1
    ) r where r.status = ${sql.raw(String(receiptStatus.live))} and r.owner = asked.wallet) as receipts
  from chain_cursor c cross join unnest(${wallets}) as asked (wallet)
  where c.chain_id = any(${list("chains", "bigint")}::bigint[])`,
);

/**
 * Reads the belongings of some wallets on each of these chains that is indexed. All rows are from the same moment.
 */
export async function belongingsOf(
  tx: Orm,
  of: readonly IndexedChain[],
  addresses: readonly Hex[],
): Promise<Belongings[]> {
  const chains = listOf(of.map(({ chainId }) => chainId));
  const rows = await readBelongings(tx, { wallets: listOf(addresses), chains });
  return rows.map(({ wallet, positions: held, frozen, receipts: owned, ...cursor }) => ({
    chainId: Number(cursor.chain_id),
    wallet,
    cursor,
    frozen,
    positions: (held ?? []).map(positions.unpack),
    receipts: (owned ?? []).map(receipts.unpack),
  }));
}

const readPositionsBefore = statement<{ wallets: string; chain: number; to: number }, { row: Values }>(
  "wallet_positions_before",
  sql`select ${positions.json("p")} as row
    from product l cross join unnest(${wallets}) as asked (wallet) cross join lateral (
      select v.* from position v
      where v.wallet = asked.wallet and v.chain_id = l.chain_id and v.product = l.address and v.time <= ${to}
      order by v.time desc, v.block desc, v.log_index desc limit 1
    ) p where l.chain_id = ${chain} order by l.block, l.log_index, p.wallet`,
);

/** Reads the latest version of each wallet's position in each product at `until`, Unix seconds. */
export async function positionsAt(
  tx: Orm,
  { chainId, addresses, until }: { chainId: number; addresses: readonly Hex[]; until: number },
): Promise<PositionState[]> {
  const rows = await readPositionsBefore(tx, { wallets: listOf(addresses), chain: chainId, to: until });
  return rows.map(({ row }) => positions.unpack(row));
}

const readVersions = statement<{ wallets: string; chain: number }, { row: Values }>(
  "wallet_position_versions",
  sql`select ${positions.json("p")} as row from position p
    where p.wallet = any(${wallets}::text[]) and p.chain_id = ${chain} order by p.block, p.log_index, p.wallet`,
);

/** Reads every version of the wallets' positions on a chain, in chain order. */
export async function positionVersions(tx: Orm, chainId: number, addresses: readonly Hex[]): Promise<PositionState[]> {
  const rows = await readVersions(tx, { wallets: listOf(addresses), chain: chainId });
  return rows.map(({ row }) => positions.unpack(row));
}

const readReceiptVersions = statement<{ wallets: string; chain: number }, { row: Values }>(
  "wallet_receipt_versions",
  sql`select ${receipts.json("v")} as row from (
      select distinct o.product, o.receipt_id from receipt o where o.owner = any(${wallets}::text[]) and o.chain_id = ${chain}
    ) ever join receipt v on v.chain_id = ${chain} and v.product = ever.product and v.receipt_id = ever.receipt_id
    order by v.block, v.log_index, v.receipt_id`,
);

/** Reads every version of the receipts that some wallets ever owned on a chain, oldest first. */
export async function receiptVersions(tx: Orm, chainId: number, addresses: readonly Hex[]): Promise<Receipt[]> {
  const rows = await readReceiptVersions(tx, { wallets: listOf(addresses), chain: chainId });
  return rows.map(({ row }) => receipts.unpack(row));
}

/** A version of a position, the movement that caused it, and the product's accounts right after it. */
export interface PositionChange {
  position: PositionState;
  movement: Movement | null;
  /** Set for a demand deposit. */
  vault: Priced | null;
  /** Set for a time deposit. */
  books: TermState | null;
}

/** Selects the newest accounts of a product as the relation `name`. `where` filters the versions `v`. */
function latestAccounts({
  table,
  name,
  of,
  where,
}: {
  table: "vault_state" | "term_state";
  name: string;
  of: SQL;
  where: SQL;
}): SQL {
  return sql`lateral (select v.* from ${sql.raw(table)} v where ${of} and ${where}
    order by v.time desc, v.block desc, v.log_index desc limit 1) ${sql.raw(name)}`;
}

const ofChange = sql`v.chain_id = p.chain_id and v.product = p.product`;
const rightAfter = sql`(v.time, v.block, v.log_index) <= (p.time, p.block, p.log_index)`;

const readChanges = statement<
  { wallets: string; chain: number; product: Hex | null; from: number; to: number; limit: number },
  { position: Values; movement: Values | null; vault: Values | null; books: Values | null }
>(
  "wallet_position_changes",
  sql`select ${positions.json("p")} as position,
    case when m.chain_id is not null then ${movements.json("m")} end as movement,
    case when a.chain_id is not null then ${pools.json("a")} end as vault,
    case when b.chain_id is not null then ${books.json("b")} end as books
  from position p
  left join movement m
    on m.chain_id = p.chain_id and m.block = p.block and m.log_index = p.log_index and m.wallet = p.wallet
  left join ${latestAccounts({ table: "vault_state", name: "a", of: ofChange, where: rightAfter })} on true
  left join ${latestAccounts({ table: "term_state", name: "b", of: ofChange, where: rightAfter })} on true
  where p.wallet = any(${wallets}::text[]) and p.chain_id = ${chain} and (${product} is null or p.product = ${product})
    and p.time >= ${from} and p.time <= ${to}
  order by p.time, p.block, p.log_index, m.kind = 'transfer_in' nulls first, p.wallet
  limit ${sql.placeholder("limit")}::bigint`,
);

/**
 * Reads the versions from `from` to `to` (Unix seconds, both included), at most `limit`. For a transfer, the sender's
 * side comes first.
 */
export async function positionChanges(
  tx: Orm,
  {
    chainId,
    addresses,
    span,
  }: {
    chainId: number;
    addresses: readonly Hex[];
    span: { from: number; to: number; limit: number; product: Hex | undefined };
  },
): Promise<PositionChange[]> {
  const { product: only = null, ...rest } = span;
  const rows = await readChanges(tx, { wallets: listOf(addresses), chain: chainId, product: only, ...rest });
  return rows.map((row) => ({
    position: positions.unpack(row.position),
    movement: row.movement && movements.unpack(row.movement),
    vault: row.vault && pools.unpack(row.vault),
    books: row.books && books.unpack(row.books),
  }));
}

const ofListed = sql`v.chain_id = l.chain_id and v.product = l.address`;

const readAccounts = statement<
  { chain: number; products: string; times: string },
  { product: Hex; time: string; vault: Values | null; books: Values | null }
>(
  "product_accounts_at",
  sql`select l.address as product, g.moment as time,
    case when a.chain_id is not null then ${pools.json("a")} end as vault,
    case when b.chain_id is not null then ${books.json("b")} end as books
  from product l cross join unnest(${list("times", "bigint")}) as g (moment)
  left join ${latestAccounts({ table: "vault_state", name: "a", of: ofListed, where: sql`v.time <= g.moment` })} on true
  left join ${latestAccounts({ table: "term_state", name: "b", of: ofListed, where: sql`v.time <= g.moment` })} on true
  where l.chain_id = ${chain} and l.address = any(${list("products", "text")}::text[])`,
);

/** The accounts of a product at one moment. Both are null before its first event. */
export type Accounts = Pick<PositionChange, "vault" | "books">;

/** Reads the accounts of some products of a chain at each of `times`, Unix seconds. */
export async function accountsAt(
  tx: Orm,
  { chainId, products, times }: { chainId: number; products: readonly Hex[]; times: readonly number[] },
): Promise<(of: Hex, time: number) => Accounts> {
  const rows = await readAccounts(tx, { chain: chainId, products: listOf(products), times: listOf(times) });
  const accounts = new Map<string, Accounts>();
  for (const { product: of, time, vault, books: then } of rows) {
    accounts.set(`${of} ${time}`, { vault: vault && pools.unpack(vault), books: then && books.unpack(then) });
  }
  return (of, time) => accounts.get(`${of} ${time}`) ?? { vault: null, books: null };
}

const readOwnTransfers = statement<{ wallets: string; chain: number }, { product: Hex }>(
  "wallet_own_transfers",
  sql`select distinct m.product from movement m join movement o
    on o.chain_id = m.chain_id and o.block = m.block and o.log_index = m.log_index
      and o.wallet = any(${wallets}::text[]) and o.kind = 'transfer_in'
    where m.wallet = any(${wallets}::text[]) and m.chain_id = ${chain} and m.kind = 'transfer_out'`,
);

/** Returns the products in which one of the wallets sent a position to another of them. */
export async function ownTransfers(tx: Orm, chainId: number, addresses: readonly Hex[]): Promise<Hex[]> {
  if (addresses.length < 2) return [];
  const rows = await readOwnTransfers(tx, { wallets: listOf(addresses), chain: chainId });
  return rows.map((row) => row.product);
}
