import { setTimeout as sleep } from "node:timers/promises";
import type { PendingTransactionBody, Transaction } from "@aqua/sdk/api/portfolio";
import { HOUR_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { formatUnits } from "@aqua/sdk/maths/units";
import { getAddress, type Hex, TransactionNotFoundError, TransactionReceiptNotFoundError } from "viem";
import type { Database } from "../db/database.ts";
import { ApiError } from "../errors.ts";
import type { EventHub } from "../events/hub.ts";
import type { ChainClient } from "../indexer/node.ts";
import type { IndexedChain } from "../indexer/stamp.ts";
import { stampOf } from "../indexer/stamp.ts";
import { describeTransaction, toTransaction } from "../indexer/transactions.ts";
import type { Product } from "../indexer/world.ts";
import type { Lookups } from "./lookups.ts";
import { type ProductCall, readCall } from "./productCalls.ts";
import * as store from "./store.ts";

/** A chain with the client that looks up its transactions. */
export interface PendingChain extends IndexedChain {
  client: ChainClient;
}

/**
 * An announcement needs no proof of its sender. Claims that the node has not confirmed are therefore limited across
 * all wallets and expire soon.
 */
const MAX_CLAIMS = 200;
const CLAIM_MS = 5 * MINUTE_MS;
const VERIFIED_A_WALLET = 50;
const FAILED_A_WALLET = 10;
/**
 * Time until a transaction counts as lost after the node no longer shows it. The node dropped it from the pool, or it
 * waits for a gap in the nonces.
 */
const LOST_MS = HOUR_MS;
const WATCH_MS = 1_000;
const WATCH_PAGE = 100;
const STOP_MS = 1_500;
const NO_CALL = "The transaction calls no product that is listed here";

interface Log {
  warn(fields: object, message: string): void;
}

/** Converts an announced transaction to the API's form, with descriptions that the server writes. */
export function pendingTransaction(
  { hash, chainId, createTime, address, kind, shortId, amount, status }: store.Pending,
  product: Product | null,
): Transaction {
  return {
    hash,
    chain_id: chainId,
    block: null,
    log_index: null,
    time: createTime,
    address: getAddress(address),
    kind,
    short_id: shortId,
    symbol: product?.assetSymbol ?? null,
    amount,
    shares: null,
    price: null,
    fee: null,
    deposit_id: null,
    status,
    description: product === null ? "Transaction" : describeTransaction(kind, product),
  };
}

/**
 * Stores a transaction that a wallet has sent. A repeated hash returns the stored row. While the node does not know
 * the hash, the answer repeats the caller's own data without the caller's free text, and no other caller sees it. The
 * call is rejected for a chain that is not indexed here, an unknown product, a sender other than `address`, and a
 * transaction that calls no listed product.
 */
export async function announce(
  parts: { db: Database; chains: readonly PendingChain[]; lookups: Lookups },
  body: PendingTransactionBody,
): Promise<Transaction> {
  const { db, chains, lookups } = parts;
  const refuse = (path: string, message: string) =>
    new ApiError("validation_error", message, { details: [{ path, message }] });
  const chain = chains.find((known) => known.chainId === body.chain_id && known.deployment !== null);
  if (!chain) throw refuse("chain_id", "This chain is not served here");
  const { chainId } = chain;
  const hash = body.hash.toLowerCase() as Hex;
  const wallet = body.address.toLowerCase() as Hex;
  const shortId = body.short_id ?? null;
  const claimed = shortId === null ? null : await store.productOf(db.orm, chainId, shortId);
  if (shortId !== null && !claimed) throw new ApiError("pool_not_found", "There is no product with this id");
  const claim: store.Pending = {
    chainId,
    hash,
    address: wallet,
    kind: body.kind,
    shortId: null,
    amount: null,
    status: "pending",
    verified: false,
    nonce: null,
    createTime: Date.now(),
  };
  const repeated = () => pendingTransaction({ ...claim, shortId, amount: body.amount ?? null }, claimed);

  const indexed = await store.movementOfHash(db.orm, { chainId, hash, wallet });
  if (indexed) return toTransaction(indexed.movement, indexed.product);
  const known = await store.findPending(db.orm, chainId, hash);
  if (known !== null && !known.verified) return repeated();
  if (known !== null) {
    if (known.address !== wallet) throw refuse("address", "The transaction was sent by another address");
    const product = known.shortId === null ? null : await store.productOf(db.orm, chainId, known.shortId);
    return pendingTransaction(known, product);
  }

  // The node may be unavailable, or the lookup limit may be reached. The watcher then looks up the transaction later.
  const sent = lookups.take() ? await lookUp(chain.client, hash).catch(() => null) : null;
  if (sent && sent.from !== wallet) throw refuse("address", "The transaction was sent by another address");
  const call = sent && (await readCall(db.orm, chainId, sent));
  if (sent && !call) throw refuse("hash", NO_CALL);

  return db.transaction(async (tx) => {
    const row = sent && call ? { ...claim, ...verifiedBy(sent, call) } : claim;
    await store.insertPending(tx, row);
    await store.trimPending(tx, { wallet, status: "pending", keep: VERIFIED_A_WALLET });
    await store.trimClaims(tx, MAX_CLAIMS);
    return call ? pendingTransaction(row, call.product) : repeated();
  });
}

/** Returns the fields that the node's transaction determines. They replace the announced fields. */
function verifiedBy({ from, nonce }: SentTransaction, { product, kind, assets }: ProductCall) {
  const amount = assets === null ? null : formatUnits(assets, product.assetDecimals);
  return {
    verified: true,
    address: from,
    nonce,
    kind,
    shortId: product.shortId,
    amount,
  } satisfies Partial<store.Pending>;
}

interface SentTransaction {
  from: Hex;
  to: Hex | null;
  input: Hex;
  nonce: number;
}

async function lookUp(client: ChainClient, hash: Hex): Promise<SentTransaction | null> {
  try {
    const { from, to, input, nonce } = await client.getTransaction({ hash });
    return { from: from.toLowerCase() as Hex, to: (to?.toLowerCase() ?? null) as Hex | null, input, nonce };
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
  /** Runs one round over all pending transactions. The watcher runs a round every second. */
  check(): Promise<void>;
}

export interface PendingParts {
  db: Database;
  chains: readonly PendingChain[];
  lookups: Lookups;
  events: Pick<EventHub, "publish">;
  log: Log;
  now?: () => number;
}

/**
 * Determines the outcome of announced transactions. It publishes the outcomes that the indexer cannot see: a failure,
 * and a success that moved no shares. Every step is idempotent, so several processes can run the watcher at the same
 * time.
 */
export function createPendingWatcher(parts: PendingParts): PendingWatcher {
  const { db, lookups, events, log, now = Date.now } = parts;
  const chains = parts.chains.filter((chain) => chain.deployment !== null);
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  /**
   * Time of the last node lookup for each transaction that was pending in the last round: Unix milliseconds, by chain
   * and hash.
   */
  let lastLookups = new Map<string, number>();

  async function checkOne(chain: PendingChain, row: store.Pending): Promise<void> {
    const { orm } = db;
    const age = now() - row.createTime;
    const sent = await lookUp(chain.client, row.hash);
    if (!sent) {
      if (!row.verified && age > CLAIM_MS) return store.removePending(orm, row.chainId, row.hash);
      if (row.verified && (await isReplaced(chain.client, row))) return fail(row);
      if (row.verified && age > LOST_MS) return fail(row);
      return;
    }
    const call = await readCall(orm, row.chainId, sent);
    if (!call) return store.removePending(orm, row.chainId, row.hash);
    const verified = { ...row, ...verifiedBy(sent, call) };
    if (!row.verified) {
      await db.transaction(async (tx) => {
        await store.updatePending(tx, row, verified);
        await store.trimPending(tx, { wallet: verified.address, status: "pending", keep: VERIFIED_A_WALLET });
      });
    }
    const receipt = await receiptOf(chain.client, row.hash);
    if (!receipt) return;
    if (receipt.status === "reverted") {
      // The row uses the time of the block, so that a failure that is announced late does not look recent.
      const { timestamp } = await chain.client.getBlock({ blockNumber: receipt.blockNumber });
      return fail({ ...verified, createTime: Number(timestamp) * 1_000 });
    }
    // The transaction succeeded and moved no shares of a listed product. After its block is indexed, nothing more can
    // follow.
    const stamp = await stampOf(orm, chain);
    if (!stamp || stamp.block < Number(receipt.blockNumber)) return;
    await store.removePending(orm, row.chainId, row.hash);
    await tell(verified, { status: "confirmed", block: Number(receipt.blockNumber) });
  }

  /** Returns true every second at first, and less often as the row gets older. */
  function isDue(row: store.Pending, last: number | undefined): boolean {
    const age = now() - row.createTime;
    const pause = row.verified ? Math.min(30_000, age / 30) : Math.min(60_000, age / 2);
    return last === undefined || now() - last >= Math.max(WATCH_MS / 2, pause);
  }

  async function tell(row: store.Pending, end: Pick<Transaction, "status"> & Partial<Transaction>): Promise<void> {
    const product = row.shortId === null ? null : await store.productOf(db.orm, row.chainId, row.shortId);
    events.publish("transaction", { ...pendingTransaction(row, product), ...end });
  }

  async function fail(row: store.Pending): Promise<void> {
    await db.transaction(async (tx) => {
      await store.updatePending(tx, row, { status: "failed", createTime: row.createTime });
      await store.trimPending(tx, { wallet: row.address, status: "failed", keep: FAILED_A_WALLET });
    });
    await tell(row, { status: "failed" });
  }

  /** Returns the pending rows of a chain. Removes the rows that the indexer has meanwhile indexed. */
  async function pendingOf(chain: PendingChain, verified: boolean): Promise<store.Pending[]> {
    const rows: store.Pending[] = [];
    for (let after: Hex = "0x"; ; ) {
      const page = await store.pendingAfter(db.orm, { chainId: chain.chainId, verified, after, limit: WATCH_PAGE });
      for (const { row, indexed } of page) {
        if (indexed) await store.removePending(db.orm, row.chainId, row.hash);
        else rows.push(row);
      }
      const last = page.at(-1);
      if (!last || page.length < WATCH_PAGE) return rows;
      after = last.row.hash;
    }
  }

  async function check(): Promise<void> {
    const before = lastLookups;
    lastLookups = new Map();
    if (!(await store.isAnythingPending(db.orm))) return;
    for (const chain of chains) {
      const claims = await pendingOf(chain, false);
      // Sorts the claims by their last lookup, oldest first, so that old claims do not delay new ones.
      claims.sort((a, b) => (before.get(keyOf(a)) ?? 0) - (before.get(keyOf(b)) ?? 0));
      for (const row of [...(await pendingOf(chain, true)), ...claims]) {
        if (stopping.signal.aborted) return;
        const last = before.get(keyOf(row));
        if (isDue(row, last) && (row.verified || lookups.take())) {
          lastLookups.set(keyOf(row), now());
          await checkOne(chain, row);
        } else if (last !== undefined) lastLookups.set(keyOf(row), last);
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
        // The indexer reports an unavailable node on its own, so one log line is enough here.
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
      // A stalled node must not delay the stop. The next start does the remaining work.
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })]);
    },
    check,
  };
}

const keyOf = ({ chainId, hash }: store.Pending) => `${chainId}:${hash}`;

/** Returns true if another transaction of the same sender has used the nonce. */
async function isReplaced(client: ChainClient, row: store.Pending): Promise<boolean> {
  if (row.nonce === null) return false;
  return (await client.getTransactionCount({ address: row.address, blockTag: "latest" })) > row.nonce;
}
