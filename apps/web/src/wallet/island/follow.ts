import type { Hex, Log } from "viem";
import type { Config } from "wagmi";
import { getCallsStatus } from "wagmi/actions";
import { reportFault } from "../../report-error.ts";
import { type ChainClient, chainClient } from "../chain/client.ts";
import { explainError, isRevert } from "../lifecycle/explain.ts";
import { movedBy } from "../lifecycle/moved.ts";
import { type ChainReceipt, type ChainTransaction, type WatchSteps, watchTransaction } from "../lifecycle/watch.ts";
import { type BundleSteps, watchBundle } from "../lifecycle/watch-bundle.ts";
import { getWallet, subscribeWallet } from "../store.ts";
import {
  getTransactions,
  type Reason,
  storeTransaction,
  subscribeTransactions,
  type TrackedTransaction,
} from "../transactions.ts";
import { nextBlock } from "./next-block.ts";

/** How many blocks back to search for the transaction that used a nonce. */
const searchDepth = 20n;

/**
 * Watches every pending transaction of the connected wallet, those of an earlier visit too, and stores their outcomes.
 * Returns a function that stops it.
 */
export function followTransactions(config: Config): () => void {
  const followed = new Set<string>();
  let stopped = false;
  const look = () => {
    const { address } = getWallet();
    for (const transaction of getTransactions(address)) {
      const open = transaction.stage === "pending" || transaction.stage === "dropped";
      if (!open || followed.has(transaction.id)) continue;
      followed.add(transaction.id);
      follow(transaction).catch((error: unknown) => {
        reportFault("wallet", error);
        followed.delete(transaction.id);
      });
    }
  };
  const ends = [subscribeTransactions(look), subscribeWallet(look)];
  look();
  return () => {
    stopped = true;
    for (const end of ends) end();
  };

  async function follow(sent: TrackedTransaction): Promise<void> {
    const client = chainClient(config, sent.chainId);
    const { hash, nonce, call } = sent;
    if (hash === null || nonce === null) return followBundle(client, sent);
    let transaction = sent;
    const keep = (parts: Partial<TrackedTransaction>) => {
      transaction = { ...transaction, ...parts };
      storeTransaction(transaction);
    };
    const steps = watchSteps(client, sent, keep);
    const effect = call === undefined ? null : { to: call.to, input: call.data, value: 0n };
    const outcome = await watchTransaction({ hash, nonce, effect }, steps, () => stopped);
    if (outcome === null) return;
    if (outcome.stage === "replaced") {
      const reason: Reason | null = outcome.cancelled ? { code: "cancelled", values: {} } : null;
      keep({ stage: "replaced", replacedBy: outcome.by, reason });
    } else await settle({ client, transaction, stage: outcome.stage, receipt: outcome.receipt });
  }

  async function followBundle(client: ChainClient, transaction: TrackedTransaction): Promise<void> {
    const status = () => bundleStatus(config, transaction);
    const steps: BundleSteps<Log> = { ...watchSteps(client, transaction, () => undefined), status };
    const outcome = await watchBundle(steps, () => stopped);
    if (outcome === null) return;
    switch (outcome.stage) {
      case "unsent":
        storeTransaction({ ...transaction, stage: "failed", reason: { code: "batchUnsent", values: {} } });
        break;
      case "unknown":
        storeTransaction({ ...transaction, stage: "failed", reason: { code: "batchUnknown", values: {} } });
        break;
      case "partly": {
        const reason: Reason = { code: "batchPartly", values: {} };
        const { receipt } = outcome;
        storeTransaction({
          ...transaction,
          stage: "failed",
          reason,
          hash: receipt?.hash ?? null,
          block: receipt?.block ?? null,
        });
        break;
      }
      default:
        await settle({ client, transaction, stage: outcome.stage, receipt: outcome.receipt });
    }
  }
}

async function settle({
  client,
  transaction,
  stage,
  receipt,
}: {
  client: ChainClient;
  transaction: TrackedTransaction;
  stage: "confirmed" | "failed";
  receipt: ChainReceipt<Log>;
}): Promise<void> {
  const mined = { ...transaction, hash: receipt.hash, block: receipt.block, stage };
  if (stage === "confirmed") storeTransaction({ ...mined, ...movedBy(transaction, receipt.logs) });
  else storeTransaction({ ...mined, reason: await explainReceipt(client, transaction, receipt) });
}

async function bundleStatus(config: Config, { id, chainId, address }: TrackedTransaction) {
  // Another wallet has no such bundle and would report it as unknown.
  const wallet = getWallet();
  if (wallet.address?.toLowerCase() !== address.toLowerCase() || wallet.chainId === null)
    throw new Error(`The wallet of the bundle on ${chainId} is not connected`);
  const { statusCode, receipts } = await getCallsStatus(config, { id });
  return { code: statusCode, hashes: (receipts ?? []).map((receipt): Hex => receipt.transactionHash) };
}

/** `keep` stores what is found out before the outcome. */
function watchSteps(
  client: ChainClient,
  transaction: TrackedTransaction,
  keep: (parts: Partial<TrackedTransaction>) => void,
): WatchSteps<Log> {
  const { address } = transaction;
  let { nonce } = transaction;
  return {
    lost: (lost) => keep({ stage: lost ? "dropped" : "pending" }),
    interval: Math.min(client.pollingInterval, 2_000),
    now: Date.now,
    nextBlock: (milliseconds) => nextBlock(transaction.chainId, milliseconds),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    receipt: async (hash) => {
      const receipt = await client.getTransactionReceipt({ hash }).catch(nullIf("TransactionReceiptNotFoundError"));
      if (receipt === null) return null;
      return {
        hash: receipt.transactionHash,
        success: receipt.status === "success",
        block: Number(receipt.blockNumber),
        logs: receipt.logs,
      };
    },
    transaction: async (hash) => {
      const found = await client.getTransaction({ hash }).catch(nullIf("TransactionNotFoundError"));
      // Stored, since a node may not have it any more after a reload.
      if (found !== null && found.nonce !== nonce) {
        nonce = found.nonce;
        keep({ nonce });
      }
      return found;
    },
    minedNonce: () => client.getTransactionCount({ address, blockTag: "latest" }),
    minedWithNonce: async (nonce) => {
      // viem caches the head for some seconds, which could leave out exactly the block that is searched for.
      const head = await client.getBlockNumber({ cacheTime: 0 });
      for (let number = head; number > head - searchDepth && number > 0n; number--) {
        const block = await client.getBlock({ blockNumber: number, includeTransactions: true });
        const found = block.transactions.find(
          (item) => item.from.toLowerCase() === address.toLowerCase() && item.nonce === nonce,
        );
        if (found !== undefined) return found satisfies ChainTransaction;
      }
      return null;
    },
  };
}

/** Null for viem's error of this name. A node that fails otherwise says nothing of the transaction, and is asked again. */
const nullIf = (name: string) => (error: Error) => {
  if (error.name === name) return null;
  throw error;
};

/**
 * Simulates the failed call again on the state before its block to find the reason of the revert. Null where it is not
 * found: the node does not answer or has no such old state, or the call would have succeeded there.
 */
async function explainReceipt(
  client: ChainClient,
  transaction: TrackedTransaction,
  receipt: ChainReceipt<Log>,
): Promise<Reason | null> {
  try {
    const sent = await client.getTransaction({ hash: receipt.hash });
    await client.call({
      account: sent.from,
      to: sent.to,
      data: sent.input,
      value: sent.value,
      blockNumber: BigInt(receipt.block - 1),
    });
    return null;
  } catch (error) {
    return isRevert(error) ? explainError(error, { ...transaction, inShares: transaction.kind === "request" }) : null;
  }
}
