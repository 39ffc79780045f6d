import type { TransactionKind } from "@aqua/sdk/api/portfolio";
import type { Reason } from "@aqua/sdk/chain/errors";
import type { SentStage } from "@aqua/sdk/chain/transaction";
import { useSyncExternalStore } from "react";
import { local } from "../browser-storage.ts";

type Hash = `0x${string}`;

/**
 * Kinds that the API does not have: allowances, instructions for a maturity, demands of a due payment, moves from one
 * wallet to another, and vetoes of a recovery.
 */
const localKinds = ["approve", "instruct", "demand", "move", "veto"] as const;
type LocalKind = (typeof localKinds)[number];

export function isLocal(kind: TrackedTransaction["kind"]): kind is LocalKind {
  return localKinds.some((local) => local === kind);
}

export interface TrackedTransaction {
  /** Key of the record: the first hash of the transaction, or the wallet's id of its bundle. */
  id: string;
  /**
   * The current hash. For a bundle it is null until the wallet returns the transaction that included it. For a
   * resubmitted transaction it is the latest hash.
   */
  hash: Hash | null;
  chainId: number;
  address: Hash;
  /**
   * The account's nonce of this transaction. If the chain has passed the nonce without this hash, the transaction was
   * replaced. It is `nonceUnknown` until a node has the transaction. Null for a bundle (EIP-5792), whose status comes
   * from the wallet.
   */
  nonce: number | null;
  /**
   * The call, which identifies the transaction if it is sent again with a higher fee. Missing for bundles and in
   * records of earlier versions.
   */
  call?: { to: Hash; data: Hash };
  /** The part of a page that started the transaction and shows its progress, e.g. "alps-hydro" or "fixed/7". */
  scope: string;
  kind: TransactionKind | LocalKind;
  shortId: string | null;
  /** A decimal string in whole units of `symbol`. */
  amount: string | null;
  symbol: string | null;
  assetDecimals: number;
  shareDecimals: number;
  /** Whole shares that the wallet received or gave. Set after confirmation. */
  shares: string | null;
  description: string;
  stage: SentStage;
  /** Unix milliseconds. */
  sentAt: number;
  /** Number of the block that includes the transaction. */
  block: number | null;
  reason: Reason | null;
  /** The transaction that used the same nonce, if it could be found. */
  replacedBy: Hash | null;
  /** Further values of the chain's event: decimal strings in whole units, times in Unix milliseconds. */
  facts: Record<string, string>;
}

/** Maximum number of settled transactions that are stored in addition to the pending ones. */
const maxSettled = 10;
const prefix = "aqua.transactions.";
const empty: readonly TrackedTransaction[] = [];
const cache = new Map<string, readonly TrackedTransaction[]>();
const listeners = new Set<() => void>();

const keyOf = (chainId: number, address: string) => `${prefix}${chainId}.${address.toLowerCase()}`;

/** The nonce of a transaction that no node has yet. No chain ever passes this value. */
export const nonceUnknown = Number.MAX_SAFE_INTEGER;

const stages: readonly string[] = ["pending", "confirmed", "failed", "replaced", "dropped"] satisfies SentStage[];

/** Adds fields to records of earlier versions, which stored neither bundle ids nor scopes. */
function migrated(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { hash, shortId } = value as Partial<TrackedTransaction>;
  return { id: hash, scope: shortId ?? "", facts: {}, ...value };
}

function isTracked(value: unknown): value is TrackedTransaction {
  const item = value as Partial<TrackedTransaction> | null;
  return (
    typeof item === "object" &&
    item !== null &&
    typeof item.id === "string" &&
    typeof item.scope === "string" &&
    typeof item.facts === "object" &&
    item.facts !== null &&
    (item.hash === null || (typeof item.hash === "string" && /^0x[0-9a-fA-F]{64}$/.test(item.hash))) &&
    typeof item.chainId === "number" &&
    (typeof item.nonce === "number" || item.nonce === null) &&
    typeof item.description === "string" &&
    typeof item.sentAt === "number" &&
    typeof item.assetDecimals === "number" &&
    typeof item.shareDecimals === "number" &&
    stages.includes(item.stage ?? "")
  );
}

function readKey(key: string): readonly TrackedTransaction[] {
  try {
    const parsed: unknown = JSON.parse(local.get(key) ?? "[]");
    return Array.isArray(parsed) ? parsed.map(migrated).filter(isTracked) : empty;
  } catch {
    return empty;
  }
}

function storedKeys(address: string): string[] {
  return local.keys().filter((key) => key.startsWith(prefix) && key.endsWith(`.${address.toLowerCase()}`));
}

/**
 * All tracked transactions of a wallet on every chain, newest first. The array stays identical until something changes.
 */
export function getTransactions(address: string | null): readonly TrackedTransaction[] {
  if (address === null) return empty;
  const cached = cache.get(address.toLowerCase());
  if (cached !== undefined) return cached;
  const all = storedKeys(address)
    .flatMap(readKey)
    .sort((a, b) => b.sentAt - a.sentAt);
  cache.set(address.toLowerCase(), all);
  return all;
}

/** Adds a transaction or replaces the one with the same id, in memory and in the browser's storage. */
export function storeTransaction(transaction: TrackedTransaction): void {
  const key = keyOf(transaction.chainId, transaction.address);
  const others = readKey(key).filter((item) => item.id !== transaction.id);
  const all = [transaction, ...others].sort((a, b) => b.sentAt - a.sentAt);
  const settled = all.filter((item) => item.stage !== "pending").slice(0, maxSettled);
  const retained = all.filter((item) => item.stage === "pending" || settled.includes(item));
  local.set(key, JSON.stringify(retained));
  cache.delete(transaction.address.toLowerCase());
  for (const listener of listeners) listener();
}

export function subscribeTransactions(listener: () => void): () => void {
  // Another tab of the same visitor may send or settle a transaction.
  const onStorage = (event: StorageEvent) => {
    if (event.key !== null && !event.key.startsWith(prefix)) return;
    cache.clear();
    listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}

const none: readonly TrackedTransaction[] = [];

/** Tracked transactions of `address`, newest first; empty without an address. */
export function useTransactions(address: string | null): readonly TrackedTransaction[] {
  return useSyncExternalStore(
    subscribeTransactions,
    () => getTransactions(address),
    () => none,
  );
}
