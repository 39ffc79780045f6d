import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { formatUnits } from "@aqua/sdk/maths/units";
import { type Log, parseEventLogs } from "viem";
import type { Config } from "wagmi";
import { type ChainClient, chainClient } from "../chain/client.ts";
import { getWallet, subscribeWallet } from "../store.ts";
import {
  getTransactions,
  putTransaction,
  type Reason,
  subscribeTransactions,
  type TrackedTransaction,
} from "../transactions.ts";
import { explainError } from "./explain.ts";
import { type ChainReceipt, type ChainTransaction, type WatchSteps, watchTransaction } from "./watch.ts";

/** Blocks searched backwards for the transaction that took a nonce. */
const searchDepth = 20n;

/**
 * Follows every pending transaction of the connected wallet, those of an earlier visit too, and stores how each ends.
 * Returns what stops it.
 */
export function followTransactions(config: Config): () => void {
  const followed = new Set<string>();
  let stopped = false;
  const look = () => {
    const { address } = getWallet();
    for (const transaction of getTransactions(address)) {
      if (transaction.stage !== "pending" || followed.has(transaction.hash)) continue;
      followed.add(transaction.hash);
      follow(transaction).catch(() => followed.delete(transaction.hash));
    }
  };
  const ends = [subscribeTransactions(look), subscribeWallet(look)];
  look();
  return () => {
    stopped = true;
    for (const end of ends) end();
  };

  async function follow(transaction: TrackedTransaction): Promise<void> {
    const client = chainClient(config, transaction.chainId);
    const outcome = await watchTransaction(transaction, watchSteps(client, transaction.address), () => stopped);
    if (outcome === null) return;
    if (outcome.stage === "replaced") {
      putTransaction({ ...transaction, stage: "replaced", replacedBy: outcome.by });
    } else if (outcome.stage === "failed") {
      const reason = await explainReceipt(client, transaction, outcome.receipt);
      putTransaction({ ...transaction, stage: "failed", block: outcome.receipt.block, reason });
    } else {
      putTransaction({ ...transaction, ...moved(transaction, outcome.receipt), stage: "confirmed" });
    }
  }
}

function watchSteps(client: ChainClient, address: `0x${string}`): WatchSteps<Log> {
  const orNull = () => null;
  return {
    interval: Math.min(client.pollingInterval, 2_000),
    now: Date.now,
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    receipt: async (hash) => {
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: Error) => {
        if (error.name === "TransactionReceiptNotFoundError") return null;
        throw error;
      });
      if (receipt === null) return null;
      return {
        hash: receipt.transactionHash,
        success: receipt.status === "success",
        block: Number(receipt.blockNumber),
        logs: receipt.logs,
      };
    },
    transaction: (hash) => client.getTransaction({ hash }).catch(orNull),
    minedNonce: () => client.getTransactionCount({ address, blockTag: "latest" }),
    minedWithNonce: async (nonce) => {
      // viem keeps the head for some seconds, which would leave out the very block looked for.
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

/** What really moved, from the vault's own event: the amounts shown after confirmation are those of the chain. */
function moved(
  transaction: TrackedTransaction,
  receipt: ChainReceipt<Log>,
): Pick<TrackedTransaction, "block" | "amount" | "shares" | "hash"> {
  const [event] = parseEventLogs({ abi: demandVaultAbi, eventName: ["Deposit", "Withdraw"], logs: [...receipt.logs] });
  const { assetDecimals, shareDecimals } = transaction;
  return {
    block: receipt.block,
    hash: transaction.hash,
    amount: event === undefined ? transaction.amount : formatUnits(event.args.assets, assetDecimals),
    shares: event === undefined ? null : formatUnits(event.args.shares, shareDecimals),
  };
}

/** Runs the failed call again on the state before its block to learn why it was reverted. */
async function explainReceipt(
  client: ChainClient,
  transaction: TrackedTransaction,
  receipt: ChainReceipt<Log>,
): Promise<Reason> {
  try {
    const sent = await client.getTransaction({ hash: receipt.hash });
    await client.call({
      account: sent.from,
      to: sent.to,
      data: sent.input,
      value: sent.value,
      blockNumber: BigInt(receipt.block - 1),
    });
    return { code: "reverted", values: { detail: "" } };
  } catch (error) {
    return explainError(error, transaction);
  }
}
