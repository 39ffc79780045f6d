import { and, asc, eq, gt, inArray, lte, or, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Database, Orm } from "../db/database.ts";
import type { ChainEvent } from "./decode.ts";
import { insertRows } from "./insert.ts";
import { loadWorld } from "./load.ts";
import * as schema from "./schema.ts";
import { newestFirst, ofProduct } from "./versions.ts";
import type { NewRows, Product, World } from "./world.ts";

const {
  anchor,
  chainBlock,
  chainCursor,
  deviceKey,
  storedHead,
  identityRecord,
  movement,
  position,
  privilegedAct,
  product,
  productState,
} = schema;
const { queueBatch, withdrawalRequest, receipt, report, term, termState, vaultState } = schema;

export interface StoredBlock {
  number: number;
  hash: Hex;
  /** Unix seconds. */
  time: number;
}

export type CursorRow = typeof chainCursor.$inferSelect;

/** Another process has taken over the chain. Nothing was written. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

/** One change of the tables. It is applied atomically. */
export interface Change {
  epoch: number;
  /** Milliseconds for which the lease is valid after the end of the change. */
  leaseMs: number;
  /** Blocks above this one are rolled back first. Null rolls back nothing. */
  rollbackTo: number | null;
  rows: NewRows;
  products: Product[];
  blocks: StoredBlock[];
  /** Null if everything is rolled back. */
  cursor: StoredBlock | null;
  head: { number: number; time: number };
  state: string;
  /** Hashes of blocks up to this number are deleted. */
  forgetTo: number;
}

/** Everything that belongs to one product. */
const productTables = [
  ...[productState, vaultState, position, movement, report],
  ...[withdrawalRequest, queueBatch, termState, term, receipt],
];

export function createIndexerStore(db: Database, chainId: number) {
  const { orm } = db;
  const ofChain = eq(chainCursor.chainId, chainId);

  return {
    async cursor(): Promise<CursorRow | null> {
      const [row] = await orm.select().from(chainCursor).where(ofChain);
      return row ?? null;
    },

    async create(productRegistry: Hex): Promise<void> {
      await orm
        .insert(chainCursor)
        .values({ chainId, productRegistry, state: "backfill", epoch: 0 })
        .onConflictDoNothing();
    },

    /**
     * Acquires the right to write this chain and returns its new epoch. Returns null while another process holds it.
     */
    async takeLease(owner: string, ttlMs: number, force: boolean): Promise<number | null> {
      const free = or(sql`${chainCursor.leaseOwner} is null`, sql`${chainCursor.leaseUntil} < now()`);
      const [row] = await orm
        .update(chainCursor)
        .set({ epoch: sql`${chainCursor.epoch} + 1`, leaseOwner: owner, leaseUntil: until(ttlMs) })
        .where(force ? ofChain : and(ofChain, free))
        .returning({ epoch: chainCursor.epoch });
      return row?.epoch ?? null;
    },

    /** Throws {@link LeaseLost} if another process has taken over. */
    async renewLease(epoch: number, ttlMs: number, status: { head: StoredHead | null; state: string }): Promise<void> {
      const [row] = await orm
        .update(chainCursor)
        .set({
          leaseUntil: until(ttlMs),
          state: status.state,
          head: status.head?.number ?? null,
          headTime: status.head?.time ?? null,
        })
        .where(and(ofChain, eq(chainCursor.epoch, epoch)))
        .returning({ epoch: chainCursor.epoch });
      if (!row) throw new LeaseLost(`chain ${chainId} is written by another process`);
    },

    async releaseLease(epoch: number): Promise<void> {
      await orm
        .update(chainCursor)
        .set({ leaseOwner: null, leaseUntil: null })
        .where(and(ofChain, eq(chainCursor.epoch, epoch)));
    },

    /** Returns the stored hash of the block with this number, or null if none is stored. */
    async hashOf(number: number): Promise<Hex | null> {
      const [row] = await orm
        .select({ hash: chainBlock.hash })
        .from(chainBlock)
        .where(and(eq(chainBlock.chainId, chainId), eq(chainBlock.number, number)));
      return row?.hash ?? null;
    },

    /** Returns the stored hashes up to `number`, oldest first. */
    blocksUpTo(number: number): Promise<StoredBlock[]> {
      return orm
        .select({ number: chainBlock.number, hash: chainBlock.hash, time: chainBlock.time })
        .from(chainBlock)
        .where(and(eq(chainBlock.chainId, chainId), lte(chainBlock.number, number)))
        .orderBy(asc(chainBlock.number));
    },

    /** Returns the products listed in block `upTo` or before. */
    products(upTo: number): Promise<Product[]> {
      return orm
        .select()
        .from(product)
        .where(and(eq(product.chainId, chainId), lte(product.block, upTo)));
    },

    /** Maps each queue to the vault of its product, as of the end of block `upTo`. */
    async queues(products: Iterable<Product>, upTo: number): Promise<Map<Hex, Hex>> {
      const queues = new Map<Hex, Hex>();
      for (const { address } of products) {
        const [row] = await orm
          .select({ queue: vaultState.queue })
          .from(vaultState)
          .where(and(ofProduct(vaultState, { chainId, address }), lte(vaultState.block, upTo)))
          .orderBy(...newestFirst(vaultState))
          .limit(1);
        if (row?.queue) queues.set(row.queue, address);
      }
      return queues;
    },

    /** See {@link loadWorld}. */
    loadWorld: (world: World, scope: { events: readonly ChainEvent[]; products: Iterable<Product>; upTo: number }) =>
      loadWorld(orm, { chainId, world, ...scope }),

    /** Throws {@link LeaseLost} and writes nothing if the epoch no longer belongs to this process. */
    apply(change: Change): Promise<void> {
      return db.transaction(async (tx) => {
        const { cursor, head } = change;
        const inEpoch = and(ofChain, eq(chainCursor.epoch, change.epoch));
        // No other process can acquire the lease before the commit, however long it takes, because it waits for this
        // row.
        const [lease] = await tx.select({ epoch: chainCursor.epoch }).from(chainCursor).where(inEpoch).for("update");
        if (!lease) throw new LeaseLost(`chain ${chainId} is written by another process`);

        if (change.rollbackTo !== null) await rollback(tx, chainId, change.rollbackTo);
        await insertRows(tx, product, change.products);
        await insertRows(tx, productState, change.rows.productState);
        await insertRows(tx, vaultState, change.rows.vaultState);
        await insertRows(tx, position, change.rows.position);
        await insertRows(tx, movement, change.rows.movement);
        await insertRows(tx, report, change.rows.report);
        await insertRows(tx, identityRecord, change.rows.identityRecord);
        await insertRows(tx, withdrawalRequest, change.rows.withdrawalRequest);
        await insertRows(tx, queueBatch, change.rows.queueBatch);
        await insertRows(tx, termState, change.rows.termState);
        await insertRows(tx, term, change.rows.term);
        await insertRows(tx, receipt, change.rows.receipt);
        await insertRows(tx, privilegedAct, change.rows.privilegedAct);
        await insertRows(tx, anchor, change.rows.anchor);
        await insertRows(tx, storedHead, change.rows.storedHead);
        await insertRows(tx, deviceKey, change.rows.deviceKey);
        await insertRows(
          tx,
          chainBlock,
          change.blocks.map((block) => ({ chainId, ...block })),
        );
        await tx
          .delete(chainBlock)
          .where(and(eq(chainBlock.chainId, chainId), lte(chainBlock.number, change.forgetTo)));
        await tx
          .update(chainCursor)
          .set({
            block: cursor?.number ?? null,
            hash: cursor?.hash ?? null,
            time: cursor?.time ?? null,
            head: head.number,
            headTime: head.time,
            state: change.state,
            leaseUntil: until(change.leaseMs),
          })
          .where(inEpoch);
      });
    },

    /** Returns the changes in blocks `from`..`to`, for the processes that only follow. */
    async changesBetween(from: number, to: number) {
      const movements = await orm
        .select()
        .from(movement)
        .where(and(eq(movement.chainId, chainId), gt(movement.block, from), lte(movement.block, to)))
        .orderBy(asc(movement.block), asc(movement.logIndex));
      const changed = new Set<Hex>();
      for (const table of productTables) {
        const rows = await orm
          .selectDistinct({ product: table.product })
          .from(table)
          .where(and(eq(table.chainId, chainId), gt(table.block, from), lte(table.block, to)));
        for (const row of rows) changed.add(row.product);
      }
      const anchors = await orm
        .select()
        .from(anchor)
        .where(and(eq(anchor.chainId, chainId), gt(anchor.block, from), lte(anchor.block, to)))
        .orderBy(asc(anchor.block), asc(anchor.logIndex));
      return { movements, changed, anchors };
    },
  };
}

export type IndexerStore = ReturnType<typeof createIndexerStore>;
export interface StoredHead {
  number: number;
  time: number;
}

/**
 * Deletes all rows of a chain, so that the next start reads it again from the first block. The epoch of the lease
 * grows, which stops a writer that still runs.
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

/**
 * Deletes the rows of a chain above block `to`, so that its writer reads these blocks again. Null deletes all of them. A
 * block that is not applied yet stands for the last one that is, so that no block is left out. The epoch of the lease
 * grows, which makes the writer load what is left.
 */
export async function rewindChain(db: Database, chainId: number, to: StoredBlock | null): Promise<void> {
  await db.transaction(async (tx) => {
    const { block, hash, time } = chainCursor;
    const ofChain = eq(chainCursor.chainId, chainId);
    const [applied] = await tx.select({ block, hash, time }).from(chainCursor).where(ofChain).for("update");
    const isApplied = to !== null && to.number <= (applied?.block ?? -1);
    const last = to === null || isApplied ? { block: to?.number, hash: to?.hash, time: to?.time } : applied;
    await tx
      .update(chainCursor)
      .set({
        epoch: sql`${chainCursor.epoch} + 1`,
        block: last?.block ?? null,
        hash: last?.hash ?? null,
        time: last?.time ?? null,
        state: "backfill",
        leaseOwner: null,
        leaseUntil: null,
      })
      .where(ofChain);
    await rollback(tx, chainId, last?.block ?? -1);
  });
}

async function rollback(tx: Orm, chainId: number, to: number): Promise<void> {
  // A rollback of a product listed above the fork also removes its earlier events. They are read again when the
  // product is listed again.
  const removed = await tx
    .delete(product)
    .where(and(eq(product.chainId, chainId), gt(product.block, to)))
    .returning({ address: product.address });
  const addresses = removed.map((row) => row.address);
  for (const table of productTables) {
    const above = gt(table.block, to);
    const undone = addresses.length === 0 ? above : or(above, inArray(table.product, addresses));
    await tx.delete(table).where(and(eq(table.chainId, chainId), undone));
  }
  const above = gt(privilegedAct.block, to);
  const undone = addresses.length === 0 ? above : or(above, inArray(privilegedAct.contract, addresses));
  await tx.delete(privilegedAct).where(and(eq(privilegedAct.chainId, chainId), undone));
  for (const table of [identityRecord, anchor, storedHead, deviceKey]) {
    await tx.delete(table).where(and(eq(table.chainId, chainId), gt(table.block, to)));
  }
  await tx.delete(chainBlock).where(and(eq(chainBlock.chainId, chainId), gt(chainBlock.number, to)));
}

function until(ttlMs: number) {
  // now() is not used, because it returns the start of the transaction.
  return sql`clock_timestamp() + ${ttlMs} * interval '1 millisecond'`;
}
