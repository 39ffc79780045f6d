import { setTimeout as sleep } from "node:timers/promises";
import type { PendingTransactionBody, Transaction } from "@aqua/sdk/api/account";
import { getAddress, type Hex, TransactionNotFoundError, TransactionReceiptNotFoundError } from "viem";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { EventHub } from "../events/hub.ts";
import type { ChainClient } from "../indexer/node.ts";
import type { IndexedChain } from "../indexer/stamp.ts";
import { stampOf } from "../indexer/stamp.ts";
import type { Product } from "../indexer/state.ts";
import { toTransaction } from "../indexer/transactions.ts";
import * as store from "./store.ts";

/** A chain with the client its transactions are looked up through. */
export interface PendingChain extends IndexedChain {
  client: ChainClient;
}

/** Nobody proves who announces, so what the node has not confirmed is bounded tightly and forgotten soon. */
const UNVERIFIED_A_WALLET = 5;
const UNVERIFIED_MS = 5 * 60_000;
const VERIFIED_A_WALLET = 50;
const FAILED_A_WALLET = 10;
/** A transaction the node showed once and lost: dropped from the pool, or waiting for a gap in the nonces. */
const LOST_MS = 60 * 60_000;
const WATCH_MS = 1_000;
const WATCH_PAGE = 100;
const STOP_MS = 1_500;

interface Log {
  warn(fields: object, message: string): void;
}

/** An announced transaction as the API tells it. */
export function pendingTransaction(row: store.Pending, product: Product | null): Transaction {
  return {
    hash: row.hash,
    chain_id: row.chainId,
    block: null,
    log_index: null,
    time: row.createTime,
    address: getAddress(row.address),
    kind: row.kind as Transaction["kind"],
    short_id: row.shortId,
    symbol: product?.assetSymbol ?? null,
    amount: row.amount,
    shares: null,
    price: null,
    fee: null,
    deposit_id: null,
    status: row.status,
    description: row.description,
  };
}

/**
 * Remembers a transaction a wallet has sent. The same hash again answers what is known of it.
 * Refused: a chain that is not indexed here, a product that is not there, a sender other than `address`.
 */
export async function announce(
  db: Database,
  chains: readonly PendingChain[],
  body: PendingTransactionBody,
): Promise<Transaction> {
  const refuse = (path: string, message: string) => new ApiError("validation_error", message, [{ path, message }]);
  const chain = chains.find((known) => known.chainId === body.chain_id && known.deployment !== null);
  if (!chain) throw refuse("chain_id", "This chain is not served here");
  const hash = body.hash.toLowerCase() as Hex;
  const wallet = body.address.toLowerCase() as Hex;
  const shortId = body.short_id ?? null;
  const product = shortId === null ? null : await store.productOf(db.orm, chain.chainId, shortId);
  if (shortId !== null && !product) throw new ApiError("pool_not_found", "There is no product with this id");

  // The node may be away for a moment; the watcher asks again then.
  const sent = await lookUp(chain.client, hash).catch(() => null);
  if (sent && sent.from !== wallet) throw refuse("address", "The transaction was sent by another address");

  return db.transaction(async (tx) => {
    const indexed = await store.movementOfHash(tx, chain.chainId, hash, wallet);
    if (indexed) return toTransaction(indexed.movement, indexed.product);
    const row: store.Pending = {
      ...{ chainId: chain.chainId, hash, address: wallet, kind: body.kind, shortId, amount: body.amount ?? null },
      ...{ description: body.description, status: "pending", verified: sent !== null, nonce: sent?.nonce ?? null },
      createTime: Date.now(),
    };
    if (!(await store.insertPending(tx, row))) {
      const known = await store.findPending(tx, chain.chainId, hash);
      if (known && known.address === wallet) return pendingTransaction(known, product);
      // Someone else claimed the hash. Only the node's word displaces a claim.
      if (!sent) throw refuse("address", "The transaction was announced for another address");
      await store.updatePending(tx, row, row);
    }
    await store.trimPending(tx, wallet, { status: "pending", verified: false }, UNVERIFIED_A_WALLET);
    await store.trimPending(tx, wallet, { status: "pending", verified: true }, VERIFIED_A_WALLET);
    return pendingTransaction(row, product);
  });
}

async function lookUp(client: ChainClient, hash: Hex): Promise<{ from: Hex; nonce: number } | null> {
  try {
    const { from, nonce } = await client.getTransaction({ hash });
    return { from: from.toLowerCase() as Hex, nonce };
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return null;
    throw error;
  }
}

async function receiptOf(client: ChainClient, hash: Hex) {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}

export interface PendingWatcher {
  start(): void;
  stop(): Promise<void>;
  /** One round over everything that is pending; the watcher does it every second. */
  check(): Promise<void>;
}

/**
 * Finds out what became of announced transactions and tells of the ends the indexer cannot see: a failure, and a success
 * that moved no shares. Every step can be repeated, so several processes may do it at once.
 */
export function createPendingWatcher(parts: {
  db: Database;
  chains: readonly PendingChain[];
  events: Pick<EventHub, "publish">;
  log: Log;
  now?: () => number;
}): PendingWatcher {
  const { db, events, log, now = Date.now } = parts;
  const chains = parts.chains.filter((chain) => chain.deployment !== null);
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  async function checkOne(chain: PendingChain, row: store.Pending): Promise<void> {
    const { orm } = db;
    if (await store.isIndexed(orm, row.chainId, row.hash)) return store.removePending(orm, row.chainId, row.hash);
    const age = now() - row.createTime;
    const sent = await lookUp(chain.client, row.hash);
    if (!sent) {
      if (!row.verified && age > UNVERIFIED_MS) return store.removePending(orm, row.chainId, row.hash);
      if (row.verified && (await isReplaced(chain.client, row))) return fail(row);
      if (row.verified && age > LOST_MS) return fail(row);
      return;
    }
    if (sent.from !== row.address) return store.removePending(orm, row.chainId, row.hash);
    if (!row.verified) await store.updatePending(orm, row, { verified: true, nonce: sent.nonce });
    const receipt = await receiptOf(chain.client, row.hash);
    if (!receipt) return;
    if (receipt.status === "reverted") return fail(row);
    // It succeeded and moved no shares of ours, an approval for instance: once its block is indexed there is no more to say.
    const stamp = await stampOf(orm, chain);
    if (!stamp || stamp.block < Number(receipt.blockNumber)) return;
    await store.removePending(orm, row.chainId, row.hash);
    await tell(row, { status: "confirmed", block: Number(receipt.blockNumber) });
  }

  async function tell(row: store.Pending, end: Pick<Transaction, "status"> & Partial<Transaction>): Promise<void> {
    const product = row.shortId === null ? null : await store.productOf(db.orm, row.chainId, row.shortId);
    events.publish("transaction", { ...pendingTransaction(row, product), ...end });
  }

  async function fail(row: store.Pending): Promise<void> {
    await db.transaction(async (tx) => {
      await store.updatePending(tx, row, { status: "failed" });
      await store.trimPending(tx, row.address, { status: "failed" }, FAILED_A_WALLET);
    });
    await tell(row, { status: "failed" });
  }

  async function check(): Promise<void> {
    for (const chain of chains) {
      let after: Hex = "0x";
      for (;;) {
        const rows = await store.pendingAfter(db.orm, chain.chainId, after, WATCH_PAGE);
        for (const row of rows) {
          if (stopping.signal.aborted) return;
          await checkOne(chain, row);
        }
        const last = rows.at(-1);
        if (!last || rows.length < WATCH_PAGE) break;
        after = last.hash;
      }
    }
  }

  async function run(): Promise<void> {
    let failing = false;
    while (!stopping.signal.aborted) {
      try {
        await check();
        failing = false;
      } catch (error) {
        // The indexer reports an absent node by itself; one line here is enough.
        if (!failing && !stopping.signal.aborted)
          log.warn({ err: error }, "pending transactions cannot be looked up now");
        failing = true;
      }
      await sleep(WATCH_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      // A node that stalls must not hold up the end; whatever is left undone is done by the next start.
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })]);
    },
    check,
  };
}

/** Another transaction of the same sender has used the nonce. */
async function isReplaced(client: ChainClient, row: store.Pending): Promise<boolean> {
  if (row.nonce === null) return false;
  return (await client.getTransactionCount({ address: row.address, blockTag: "latest" })) > row.nonce;
}
