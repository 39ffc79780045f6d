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

/** A chain with the client its transactions are looked up through. */
export interface PendingChain extends IndexedChain {
  client: ChainClient;
}

/** Nobody proves who announces: what the node has not confirmed is bounded over all wallets, and forgotten soon. */
const MAX_CLAIMS = 200;
const CLAIM_MS = 5 * MINUTE_MS;
const VERIFIED_A_WALLET = 50;
const FAILED_A_WALLET = 10;
/** A transaction the node showed once and lost: dropped from the pool, or waiting for a gap in the nonces. */
const LOST_MS = HOUR_MS;
const WATCH_MS = 1_000;
const WATCH_PAGE = 100;
const STOP_MS = 1_500;
const NO_CALL = "The transaction calls no product that is listed here";

interface Log {
  warn(fields: object, message: string): void;
}

/** An announced transaction as the API shows it, in our words. */
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
 * Remembers a transaction a wallet has sent. The same hash again answers what is known of it. Of a hash the node does not
 * know yet, the answer repeats to its caller what they said, save their words; nobody else is shown it.
 * Refused: a chain that is not indexed here, a product that is not there, a sender other than `address`, a transaction that
 * calls no listed product.
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

  // The node may be away for a moment, or have been asked enough; the watcher asks then.
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

/** What a row says once the node has shown the transaction, whatever was announced. */
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
  /** One round over everything that is pending; the watcher does it every second. */
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
 * Finds out what became of announced transactions and publishes the outcomes that the indexer cannot see: a failure,
 * and a success
 * that moved no shares. Every step can be repeated, so several processes may do it at once.
 */
export function createPendingWatcher(parts: PendingParts): PendingWatcher {
  const { db, lookups, events, log, now = Date.now } = parts;
  const chains = parts.chains.filter((chain) => chain.deployment !== null);
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  /** When the node was last asked about what was pending in the last round: Unix milliseconds, by chain and hash. */
  let asked = new Map<string, number>();

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
      // Announced late, it must not look as if it had failed just now.
      const { timestamp } = await chain.client.getBlock({ blockNumber: receipt.blockNumber });
      return fail({ ...verified, createTime: Number(timestamp) * 1_000 });
    }
    // It succeeded and moved no shares of ours: once its block is indexed there is no more to say.
    const stamp = await stampOf(orm, chain);
    if (!stamp || stamp.block < Number(receipt.blockNumber)) return;
    await store.removePending(orm, row.chainId, row.hash);
    await tell(verified, { status: "confirmed", block: Number(receipt.blockNumber) });
  }

  /** Every second at first, and ever less often the longer nothing comes of it. */
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

  /** Those the indexer has meanwhile are removed. */
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
    const before = asked;
    asked = new Map();
    if (!(await store.isAnythingPending(db.orm))) return;
    for (const chain of chains) {
      const claims = await pendingOf(chain, false);
      // First those the node was asked about longest ago, so that old claims do not keep new ones waiting.
      claims.sort((a, b) => (before.get(keyOf(a)) ?? 0) - (before.get(keyOf(b)) ?? 0));
      for (const row of [...(await pendingOf(chain, true)), ...claims]) {
        if (stopping.signal.aborted) return;
        const last = before.get(keyOf(row));
        if (isDue(row, last) && (row.verified || lookups.take())) {
          asked.set(keyOf(row), now());
          await checkOne(chain, row);
        } else if (last !== undefined) asked.set(keyOf(row), last);
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

const keyOf = ({ chainId, hash }: store.Pending) => `${chainId}:${hash}`;

/** Another transaction of the same sender has used the nonce. */
async function isReplaced(client: ChainClient, row: store.Pending): Promise<boolean> {
  if (row.nonce === null) return false;
  return (await client.getTransactionCount({ address: row.address, blockTag: "latest" })) > row.nonce;
}
