import { movedBy } from "@aqua/sdk/chain/events";
import { type BundleStatus, type Outcome, watchBundle, watchTransaction } from "@aqua/sdk/chain/transaction";
import { useEffect } from "react";
import { type Config, useConfig } from "wagmi";
import { getAccount, getCallsStatus, watchAccount } from "wagmi/actions";
import { reportFault } from "../../report-error.ts";
import { nextBlock } from "../blocks.ts";
import { chainClient } from "../chain/client.ts";
import { getTransactions, storeTransaction, subscribeTransactions, type TrackedTransaction } from "../transactions.ts";

/** Follows transactions while it is mounted. */
export default function Follow() {
  const config = useConfig();
  useEffect(() => followTransactions(config), [config]);
  return null;
}

/**
 * Watches every pending transaction of the connected wallet, including those of an earlier visit, and stores their
 * outcomes. Returns a function that stops this.
 */
export function followTransactions(config: Config): () => void {
  const followed = new Set<string>();
  let isStopped = false;
  const look = () => {
    for (const transaction of getTransactions(getAccount(config).address ?? null)) {
      const open = transaction.stage === "pending" || transaction.stage === "dropped";
      if (!open || followed.has(transaction.id)) continue;
      followed.add(transaction.id);
      follow(config, transaction, () => isStopped).catch((error: unknown) => {
        reportFault("wallet", error);
        followed.delete(transaction.id);
      });
    }
  };
  const ends = [subscribeTransactions(look), watchAccount(config, { onChange: look })];
  look();
  return () => {
    isStopped = true;
    for (const end of ends) end();
  };
}

async function follow(config: Config, sent: TrackedTransaction, stopped: () => boolean): Promise<void> {
  const { hash, nonce, call, chainId, address } = sent;
  let transaction = sent;
  const keep = (parts: Partial<TrackedTransaction>) => {
    transaction = { ...transaction, ...parts };
    storeTransaction(transaction);
  };
  const watch = {
    client: chainClient(config, chainId),
    address,
    units: { ...sent, inShares: sent.kind === "request" },
    clock: {
      now: Date.now,
      nextBlock: (milliseconds: number) => nextBlock(chainId, milliseconds),
      sleep: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
    },
    stopped,
  };
  const effect = call === undefined ? null : { to: call.to, input: call.data, value: 0n };
  const outcome =
    hash === null || nonce === null
      ? await watchBundle(() => bundleStatus(config, sent), watch)
      : await watchTransaction({ hash, nonce, effect }, watch, keep);
  if (outcome !== null) keep(storedOutcome(transaction, outcome));
}

function storedOutcome(transaction: TrackedTransaction, outcome: Outcome): Partial<TrackedTransaction> {
  switch (outcome.stage) {
    case "confirmed": {
      const { logs, ...mined } = outcome;
      return { ...mined, ...movedBy(transaction, logs) };
    }
    case "failed":
      return outcome;
    case "replaced": {
      const { stage, by, cancelled } = outcome;
      return { stage, replacedBy: by, reason: cancelled ? { code: "cancelled", values: {} } : null };
    }
  }
}

async function bundleStatus(config: Config, { id, chainId, address }: TrackedTransaction): Promise<BundleStatus> {
  // Another wallet has no such bundle and would report it as unknown.
  const wallet = getAccount(config);
  if (wallet.address?.toLowerCase() !== address.toLowerCase() || !wallet.isConnected)
    throw new Error(`The wallet of the bundle on ${chainId} is not connected`);
  const { statusCode, receipts } = await getCallsStatus(config, { id });
  return { code: statusCode, hashes: (receipts ?? []).map(({ transactionHash }) => transactionHash) };
}
