import type { Transaction, TransactionKind } from "@aqua/sdk/api/portfolio";
import { isLocal, type TrackedTransaction } from "../../wallet/transactions.ts";

interface Unsettled {
  /** Transactions as the server stores them. */
  pending: readonly Transaction[];
  /** Transactions as this browser stores them. */
  tracked: readonly TrackedTransaction[];
  /** The page of the history that is shown together with them. */
  listed: readonly Transaction[];
  kind: TransactionKind | null;
  shortId: string | null;
}

function fromTracked(tracked: TrackedTransaction, hash: string, kind: TransactionKind): Transaction {
  return {
    hash,
    chain_id: tracked.chainId,
    block: tracked.block,
    log_index: null,
    time: tracked.sentAt,
    address: tracked.address,
    kind,
    short_id: tracked.shortId,
    symbol: tracked.symbol,
    amount: tracked.amount,
    shares: tracked.shares,
    price: null,
    fee: null,
    deposit_id: null,
    status: tracked.stage === "pending" ? "pending" : "failed",
    description: tracked.description,
  };
}

/** The original hash and the hash of its replacement. */
function hashesOf({ id, hash }: TrackedTransaction): string[] {
  return [id, ...(hash === null ? [] : [hash])].map((value) => value.toLowerCase());
}

/**
 * Merges transactions that no block has confirmed, newest first. The browser knows failures, the server knows
 * transactions sent from other browsers. If both know a hash, the browser's state takes precedence, except over a
 * block: a transaction that the history lists as confirmed did happen, even as part of a failed bundle. Leaves out
 * confirmed and replaced transactions, and states for which the API has no value.
 */
export function mergeActivity({ pending, tracked, listed, kind, shortId }: Unsettled): Transaction[] {
  const inBlocks = new Set(listed.flatMap(({ hash, status }) => (status === "confirmed" ? [hash.toLowerCase()] : [])));
  const settled = new Set(tracked.flatMap((item) => (item.stage === "pending" ? [] : hashesOf(item))));
  const own = tracked.flatMap((item) =>
    item.hash !== null && !isLocal(item.kind) && (item.stage === "pending" || item.stage === "failed")
      ? [fromTracked(item, item.hash, item.kind)]
      : [],
  );
  const ownHashes = new Set(own.map((row) => row.hash.toLowerCase()));
  const others = pending.filter(
    (row) => !ownHashes.has(row.hash.toLowerCase()) && !settled.has(row.hash.toLowerCase()),
  );
  return [...own, ...others]
    .filter((row) => !inBlocks.has(row.hash.toLowerCase()))
    .filter((row) => (kind === null || row.kind === kind) && (shortId === null || row.short_id === shortId))
    .sort((a, b) => b.time - a.time);
}
