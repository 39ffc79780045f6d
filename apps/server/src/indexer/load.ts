import { and, desc, eq, gte, inArray, lte, max } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { type ChainEvent, emitterOf } from "./decode.ts";
import * as schema from "./schema.ts";
import { isTelemetryEvent } from "./telemetry.ts";
import { newestFirst, ofProduct } from "./versions.ts";
import { type Product, positionKey, receiptKey, termKey, type WithdrawalRequest, type World } from "./world.ts";

const { identityRecord, position, productState, withdrawalRequest, receipt, term, termState, vaultState } = schema;

const BATCH_SIZE = 1_000;

/**
 * Loads into `world` the rows that the events change and that it does not hold yet, as of the end of block `upTo`. It
 * also loads the totals of `products`.
 */
export async function loadWorld(
  orm: Orm,
  {
    chainId,
    world,
    events,
    products,
    upTo,
  }: {
    chainId: number;
    world: World;
    events: readonly ChainEvent[];
    products: Iterable<Product>;
    upTo: number;
  },
): Promise<void> {
  for (const event of events) {
    if (event.name === "QueueSet" && !world.queues.has(event.queue)) world.queues.set(event.queue, event.address);
  }
  if (world.isWhole) return;
  const touched = touchedBy(world, events);
  for (const { address, productType } of products) {
    (productType === 1 ? touched.termDeposits : touched.vaults).add(address);
  }

  for (const address of touched.vaults) {
    if (world.vaults.has(address)) continue;
    const [row] = await orm
      .select()
      .from(vaultState)
      .where(and(ofProduct(vaultState, { chainId, address }), lte(vaultState.block, upTo)))
      .orderBy(...newestFirst(vaultState))
      .limit(1);
    if (row) world.vaults.set(address, row);
  }
  for (const address of touched.products) {
    if (world.products.has(address)) continue;
    const [row] = await orm
      .select()
      .from(productState)
      .where(and(ofProduct(productState, { chainId, address }), lte(productState.block, upTo)))
      .orderBy(desc(productState.block), desc(productState.logIndex))
      .limit(1);
    if (row) world.products.set(address, row);
  }
  const identities = [...touched.identities].filter((wallet) => !world.identities.has(wallet));
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
  for (const address of touched.queues) {
    if (!world.requests.has(address)) {
      const processed = world.vaults.get(address)?.processed ?? 0n;
      world.requests.set(address, await waitingRequests(orm, { chainId, vault: address, processed }, upTo));
    }
    for (const wallet of processedWallets(world, address, events)) touched.touch(address, wallet);
  }
  for (const address of touched.termDeposits) {
    if (world.termStates.has(address)) continue;
    const [row] = await orm
      .select()
      .from(termState)
      .where(and(ofProduct(termState, { chainId, address }), lte(termState.block, upTo)))
      .orderBy(...newestFirst(termState))
      .limit(1);
    if (row) world.termStates.set(address, row);
    const terms = await orm
      .selectDistinctOn([term.termId])
      .from(term)
      .where(and(eq(term.chainId, chainId), eq(term.product, address), lte(term.block, upTo)))
      .orderBy(term.termId, desc(term.block), desc(term.logIndex));
    for (const row of terms) world.terms.set(termKey(address, row.termId), row);
  }
  for (const [address, ids] of touched.receipts) {
    for (const some of chunks([...ids].filter((id) => !world.receipts.has(receiptKey(address, id))))) {
      const rows = await orm
        .selectDistinctOn([receipt.receiptId])
        .from(receipt)
        .where(
          and(
            eq(receipt.chainId, chainId),
            eq(receipt.product, address),
            inArray(receipt.receiptId, some),
            lte(receipt.block, upTo),
          ),
        )
        .orderBy(receipt.receiptId, desc(receipt.block), desc(receipt.logIndex));
      for (const row of rows) world.receipts.set(receiptKey(address, row.receiptId), row);
    }
    for (const id of ids) {
      const owner = world.receipts.get(receiptKey(address, id))?.owner;
      if (owner) touched.touch(address, owner);
    }
  }
  const unknown = [...touched.positions].filter(([key]) => !world.positions.has(key));
  for (const pairs of chunks(unknown.map(([, pair]) => pair))) {
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
      .orderBy(position.wallet, position.product, desc(position.time), desc(position.block), desc(position.logIndex));
    // A pair that was not requested may already have a newer version in this world.
    for (const row of rows) {
      const key = positionKey(row.product, row.wallet);
      if (!world.positions.has(key)) world.positions.set(key, row);
    }
  }
}

/**
 * Reads the requests of a vault that extend beyond the first `processed` shares, after block `upTo`, in queue order.
 */
export async function waitingRequests(
  orm: Orm,
  { chainId, vault, processed }: { chainId: number; vault: Hex; processed: bigint },
  upTo?: number,
): Promise<WithdrawalRequest[]> {
  const ofVault = and(
    eq(withdrawalRequest.chainId, chainId),
    eq(withdrawalRequest.product, vault),
    upTo === undefined ? undefined : lte(withdrawalRequest.block, upTo),
  );
  const [head] = await orm
    .select({ start: max(withdrawalRequest.start) })
    .from(withdrawalRequest)
    .where(and(ofVault, lte(withdrawalRequest.start, processed)));
  const requests = await orm
    .selectDistinctOn([withdrawalRequest.start])
    .from(withdrawalRequest)
    .where(and(ofVault, gte(withdrawalRequest.start, head?.start ?? 0n)))
    .orderBy(withdrawalRequest.start, desc(withdrawalRequest.block), desc(withdrawalRequest.logIndex));
  return requests.filter((request) => request.start + request.shares > processed);
}

/**
 * Returns the wallets whose requests the processings among `events` reach, as far as the requests are already
 * loaded.
 */
function processedWallets(world: World, vault: Hex, events: readonly ChainEvent[]): Hex[] {
  let end = world.vaults.get(vault)?.processed ?? 0n;
  for (const event of events) {
    if (event.name === "Processed" && world.queues.get(event.address) === vault) end += event.shares;
  }
  return (world.requests.get(vault) ?? []).filter((request) => request.start < end).map((request) => request.wallet);
}

function touchedBy(world: World, events: readonly ChainEvent[]) {
  const vaults = new Set<Hex>();
  const products = new Set<Hex>();
  const identities = new Set<Hex>();
  const queues = new Set<Hex>();
  const termDeposits = new Set<Hex>();
  const receipts = new Map<Hex, Set<bigint>>();
  const positions = new Map<string, { product: Hex; wallet: Hex }>();
  const touch = (product: Hex, wallet: Hex) => positions.set(positionKey(product, wallet), { product, wallet });

  for (const event of events) {
    const emitter = emitterOf(event.name);
    if (emitter === "access_manager" || isTelemetryEvent(event)) continue;
    if ("product" in event) products.add(event.product);
    else if ("wallet" in event) identities.add(event.wallet);
    else {
      const product = emitter === "queue" ? world.queues.get(event.address) : event.address;
      if (!product) continue;
      const wallets = "owner" in event ? [event.owner] : "from" in event ? [event.from, event.to] : [];
      for (const wallet of wallets) touch(product, wallet);
      // The cost that a transfer carries depends on whether both wallets belong to one account.
      if ("from" in event) for (const wallet of wallets) identities.add(wallet);
      if (emitter === "queue") queues.add(product);
      if (emitter !== "term") vaults.add(product);
      else {
        termDeposits.add(product);
        const ids = receipts.get(product) ?? new Set();
        receipts.set(product, ids);
        if ("id" in event) ids.add(event.id);
        if ("newId" in event) ids.add(event.newId);
      }
    }
  }
  return { vaults, products, identities, queues, termDeposits, receipts, positions, touch };
}

function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let i = 0; i < items.length; i += BATCH_SIZE) yield items.slice(i, i + BATCH_SIZE);
}
