import { and, asc, desc, eq, gt, inArray, lte, or, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import type { Database, Orm } from "../db/database.ts";
import type { ChainEvent } from "./decode.ts";
import { type NewRows, type Product, positionKey, type World } from "./replay.ts";
import * as schema from "./schema.ts";

const { chainBlock, chainCursor, identityRecord, movement, position, product, productState, report, vaultState } =
  schema;

export interface StoredBlock {
  number: number;
  hash: Hex;
  /** Unix seconds. */
  time: number;
}

export type CursorRow = typeof chainCursor.$inferSelect;

/** Another process has taken the chain over; nothing was written. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

/** One change of the tables, applied whole or not at all. */
export interface Change {
  epoch: number;
  /** Blocks above this one are undone first; null undoes nothing. */
  rollbackTo: number | null;
  rows: NewRows;
  products: Product[];
  blocks: StoredBlock[];
  /** Null when everything is undone. */
  cursor: StoredBlock | null;
  head: { number: number; time: number };
  state: string;
  /** Hashes of blocks up to this number are forgotten. */
  forgetTo: number;
}

const ROWS_A_STATEMENT = 1_000;

export function createIndexerStore(db: Database, chainId: number) {
  const { orm } = db;
  const mine = eq(chainCursor.chainId, chainId);

  return {
    async cursor(): Promise<CursorRow | null> {
      const [row] = await orm.select().from(chainCursor).where(mine);
      return row ?? null;
    },

    async create(productRegistry: Hex): Promise<void> {
      await orm
        .insert(chainCursor)
        .values({ chainId, productRegistry, state: "backfill", epoch: 0 })
        .onConflictDoNothing();
    },

    /** Takes the right to write this chain and answers its new epoch; null while another process holds it. */
    async takeLease(owner: string, ttlMs: number, force: boolean): Promise<number | null> {
      const free = or(sql`${chainCursor.leaseOwner} is null`, sql`${chainCursor.leaseUntil} < now()`);
      const [row] = await orm
        .update(chainCursor)
        .set({ epoch: sql`${chainCursor.epoch} + 1`, leaseOwner: owner, leaseUntil: until(ttlMs) })
        .where(force ? mine : and(mine, free))
        .returning({ epoch: chainCursor.epoch });
      return row?.epoch ?? null;
    },

    /** Throws {@link LeaseLost} when another process has taken over. */
    async renewLease(epoch: number, ttlMs: number, seen: { head: StoredHead | null; state: string }): Promise<void> {
      const [row] = await orm
        .update(chainCursor)
        .set({
          leaseUntil: until(ttlMs),
          state: seen.state,
          head: seen.head?.number ?? null,
          headTime: seen.head?.time ?? null,
        })
        .where(and(mine, eq(chainCursor.epoch, epoch)))
        .returning({ epoch: chainCursor.epoch });
      if (!row) throw new LeaseLost(`chain ${chainId} is written by another process`);
    },

    async releaseLease(epoch: number): Promise<void> {
      await orm
        .update(chainCursor)
        .set({ leaseOwner: null, leaseUntil: null })
        .where(and(mine, eq(chainCursor.epoch, epoch)));
    },

    /** Known hashes up to `number`, oldest first. */
    blocksUpTo(number: number): Promise<StoredBlock[]> {
      return orm
        .select({ number: chainBlock.number, hash: chainBlock.hash, time: chainBlock.time })
        .from(chainBlock)
        .where(and(eq(chainBlock.chainId, chainId), lte(chainBlock.number, number)))
        .orderBy(asc(chainBlock.number));
    },

    /** Products listed in block `upTo` or before. */
    products(upTo: number): Promise<Product[]> {
      return orm
        .select()
        .from(product)
        .where(and(eq(product.chainId, chainId), lte(product.block, upTo)));
    },

    /** Adds to `world` what the events touch and it does not hold yet, as it stood after block `upTo`. */
    async loadWorld(world: World, events: readonly ChainEvent[], upTo: number): Promise<void> {
      const touched = touchedBy(events);
      const vaults = touched.vaults.filter((address) => !world.vaults.has(address));
      const listings = touched.products.filter((address) => !world.products.has(address));
      const identities = touched.identities.filter((wallet) => !world.identities.has(wallet));
      const positions = touched.positions.filter(
        (pair) => !world.positions.has(positionKey(pair.product, pair.wallet)),
      );

      for (const address of vaults) {
        const [row] = await orm
          .select()
          .from(vaultState)
          .where(and(eq(vaultState.chainId, chainId), eq(vaultState.product, address), lte(vaultState.block, upTo)))
          .orderBy(desc(vaultState.time), desc(vaultState.block), desc(vaultState.logIndex))
          .limit(1);
        if (row) world.vaults.set(address, row);
      }
      for (const address of listings) {
        const [row] = await orm
          .select()
          .from(productState)
          .where(
            and(eq(productState.chainId, chainId), eq(productState.product, address), lte(productState.block, upTo)),
          )
          .orderBy(desc(productState.block), desc(productState.logIndex))
          .limit(1);
        if (row) world.products.set(address, row);
      }
      for (const wallets of chunks(identities)) {
        const rows = await orm
          .selectDistinctOn([identityRecord.wallet])
          .from(identityRecord)
          .where(
            and(
              eq(identityRecord.chainId, chainId),
              inArray(identityRecord.wallet, wallets),
              lte(identityRecord.block, upTo),
            ),
          )
          .orderBy(identityRecord.wallet, desc(identityRecord.block), desc(identityRecord.logIndex));
        for (const row of rows) world.identities.set(row.wallet, row);
      }
      for (const pairs of chunks(positions)) {
        const rows = await orm
          .selectDistinctOn([position.wallet, position.product])
          .from(position)
          .where(
            and(
              inArray(position.wallet, [...new Set(pairs.map((pair) => pair.wallet))]),
              eq(position.chainId, chainId),
              inArray(position.product, [...new Set(pairs.map((pair) => pair.product))]),
              lte(position.block, upTo),
            ),
          )
          .orderBy(
            position.wallet,
            position.product,
            desc(position.time),
            desc(position.block),
            desc(position.logIndex),
          );
        // A pair that was not asked for may already have been moved on in this world.
        for (const row of rows) {
          const key = positionKey(row.product, row.wallet);
          if (!world.positions.has(key)) world.positions.set(key, row);
        }
      }
    },

    /** Throws {@link LeaseLost} when the epoch is not ours any more; then nothing is written. */
    apply(change: Change): Promise<void> {
      return db.transaction(async (tx) => {
        const { cursor, head } = change;
        const [held] = await tx
          .update(chainCursor)
          .set({
            ...{ block: cursor?.number ?? null, hash: cursor?.hash ?? null, time: cursor?.time ?? null },
            ...{ head: head.number, headTime: head.time, state: change.state },
          })
          .where(and(mine, eq(chainCursor.epoch, change.epoch)))
          .returning({ epoch: chainCursor.epoch });
        if (!held) throw new LeaseLost(`chain ${chainId} is written by another process`);

        if (change.rollbackTo !== null) await rollback(tx, chainId, change.rollbackTo);
        await insertAll(tx, product, change.products);
        await insertAll(tx, productState, change.rows.productState);
        await insertAll(tx, vaultState, change.rows.vaultState);
        await insertAll(tx, position, change.rows.position);
        await insertAll(tx, movement, change.rows.movement);
        await insertAll(tx, report, change.rows.report);
        await insertAll(tx, identityRecord, change.rows.identityRecord);
        await insertAll(
          tx,
          chainBlock,
          change.blocks.map((block) => ({ chainId, ...block })),
        );
        await tx
          .delete(chainBlock)
          .where(and(eq(chainBlock.chainId, chainId), lte(chainBlock.number, change.forgetTo)));
      });
    },

    /** What changed in blocks `from`..`to`, for the processes that only follow. */
    async changesBetween(from: number, to: number) {
      const movements = await orm
        .select()
        .from(movement)
        .where(and(eq(movement.chainId, chainId), gt(movement.block, from), lte(movement.block, to)))
        .orderBy(asc(movement.block), asc(movement.logIndex));
      const changed = await orm
        .selectDistinct({ product: vaultState.product })
        .from(vaultState)
        .where(and(eq(vaultState.chainId, chainId), gt(vaultState.block, from), lte(vaultState.block, to)));
      return { movements, changed: changed.map((row) => row.product) };
    },
  };
}

export type IndexerStore = ReturnType<typeof createIndexerStore>;
export interface StoredHead {
  number: number;
  time: number;
}

/**
 * Forgets everything of a chain, so that the next start reads it anew from the first block. The lease's epoch grows: a
 * writer that still runs stops.
 */
export async function forgetChain(db: Database, chainId: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(chainCursor)
      .set({
        epoch: sql`${chainCursor.epoch} + 1`,
        block: null,
        hash: null,
        time: null,
        leaseOwner: null,
        leaseUntil: null,
      })
      .where(eq(chainCursor.chainId, chainId));
    await rollback(tx, chainId, -1);
    await tx.delete(chainCursor).where(eq(chainCursor.chainId, chainId));
  });
}

async function rollback(tx: Orm, chainId: number, to: number): Promise<void> {
  // A product listed above the fork takes its earlier events along: they are read again when it is listed again.
  const gone = await tx
    .delete(product)
    .where(and(eq(product.chainId, chainId), gt(product.block, to)))
    .returning({ address: product.address });
  const addresses = gone.map((row) => row.address);
  for (const table of [productState, vaultState, position, movement, report]) {
    const above = gt(table.block, to);
    const undone = addresses.length === 0 ? above : or(above, inArray(table.product, addresses));
    await tx.delete(table).where(and(eq(table.chainId, chainId), undone));
  }
  await tx.delete(identityRecord).where(and(eq(identityRecord.chainId, chainId), gt(identityRecord.block, to)));
  await tx.delete(chainBlock).where(and(eq(chainBlock.chainId, chainId), gt(chainBlock.number, to)));
}

async function insertAll<Table extends PgTable>(tx: Orm, table: Table, rows: Table["$inferInsert"][]): Promise<void> {
  for (const part of chunks(rows)) await tx.insert(table).values(part);
}

function touchedBy(events: readonly ChainEvent[]) {
  const vaults = new Set<Hex>();
  const products = new Set<Hex>();
  const identities = new Set<Hex>();
  const positions = new Map<string, { product: Hex; wallet: Hex }>();
  for (const event of events) {
    if ("product" in event) products.add(event.product);
    else if ("wallet" in event) identities.add(event.wallet);
    else {
      vaults.add(event.address);
      const wallets = event.name === "Transfer" ? [event.from, event.to] : "owner" in event ? [event.owner] : [];
      for (const wallet of wallets)
        positions.set(positionKey(event.address, wallet), { product: event.address, wallet });
    }
  }
  return {
    vaults: [...vaults],
    products: [...products],
    identities: [...identities],
    positions: [...positions.values()],
  };
}

function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let i = 0; i < items.length; i += ROWS_A_STATEMENT) yield items.slice(i, i + ROWS_A_STATEMENT);
}

function until(ttlMs: number) {
  return sql`now() + ${ttlMs} * interval '1 millisecond'`;
}
