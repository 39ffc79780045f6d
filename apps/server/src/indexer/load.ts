import { and, desc, eq, gte, lte, max, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Orm } from "../db/database.ts";
import { listOf } from "../db/statement.ts";
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
    for (const row of await latestIdentities(orm, { chainId, wallets, upTo })) world.identities.set(row.wallet, row);
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
      const rows = await latestReceipts(orm, { chainId, product: address, ids: some, upTo });
      for (const row of rows) world.receipts.set(receiptKey(address, row.receiptId), row);
    }
    for (const id of ids) {
      const owner = world.receipts.get(receiptKey(address, id))?.owner;
      if (owner) touched.touch(address, owner);
    }
  }
  const unknown = [...touched.positions].filter(([key]) => !world.positions.has(key));
  for (const pairs of chunks(unknown.map(([, pair]) => pair))) {
    for (const row of await latestPositions(orm, { chainId, pairs, upTo }))
      world.positions.set(positionKey(row.product, row.wallet), row);
  }
}

// Each reads one entry of an index for each row, however many versions there are. DISTINCT ON reads all versions.

async function latestIdentities(
  orm: Orm,
  { chainId, wallets, upTo }: { chainId: number; wallets: readonly Hex[]; upTo: number },
) {
  const asked = sql`unnest(${listOf(wallets)}::text[]) as asked(wallet)`;
  const latest = orm
    .select()
    .from(identityRecord)
    .where(
      and(
        eq(identityRecord.chainId, chainId),
        eq(identityRecord.wallet, sql`asked.wallet`),
        lte(identityRecord.block, upTo),
      ),
    )
    .orderBy(desc(identityRecord.block), desc(identityRecord.logIndex))
    .limit(1)
    .as("latest");
  return (await orm.select().from(asked).innerJoinLateral(latest, sql`true`)).map((row) => row.latest);
}

async function latestReceipts(
  orm: Orm,
  { chainId, product, ids, upTo }: { chainId: number; product: Hex; ids: readonly bigint[]; upTo: number },
) {
  const asked = sql`unnest(${listOf(ids)}::numeric[]) as asked(id)`;
  const latest = orm
    .select()
    .from(receipt)
    .where(
      and(
        eq(receipt.chainId, chainId),
        eq(receipt.product, product),
        eq(receipt.receiptId, sql`asked.id`),
        lte(receipt.block, upTo),
      ),
    )
    .orderBy(desc(receipt.block), desc(receipt.logIndex))
    .limit(1)
    .as("latest");
  return (await orm.select().from(asked).innerJoinLateral(latest, sql`true`)).map((row) => row.latest);
}

async function latestPositions(
  orm: Orm,
  { chainId, pairs, upTo }: { chainId: number; pairs: readonly { wallet: Hex; product: Hex }[]; upTo: number },
) {
  const [wallets, products] = [pairs.map(({ wallet }) => wallet), pairs.map(({ product }) => product)];
  const asked = sql`unnest(${listOf(wallets)}::text[], ${listOf(products)}::text[]) as asked(wallet, product)`;
  const latest = orm
    .select()
    .from(position)
    .where(
      and(
        eq(position.wallet, sql`asked.wallet`),
        eq(position.chainId, chainId),
        eq(position.product, sql`asked.product`),
        lte(position.block, upTo),
      ),
    )
    .orderBy(desc(position.time), desc(position.block), desc(position.logIndex))
    .limit(1)
    .as("latest");
  return (await orm.select().from(asked).innerJoinLateral(latest, sql`true`)).map((row) => row.latest);
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
