import type { Address, Hex } from "viem";
import type { Config } from "wagmi";
import { getAccount, sendTransaction } from "wagmi/actions";
import { ActionError } from "../lifecycle/stages.ts";
import { trackTransaction } from "../lifecycle/track.ts";
import { getTransactions, subscribeTransactions, type TrackedTransaction } from "../transactions.ts";
import type { ChainClient } from "./client.ts";

export interface Call {
  to: Address;
  data: Hex;
}

type Description = Pick<
  TrackedTransaction,
  "kind" | "shortId" | "amount" | "symbol" | "assetDecimals" | "shareDecimals" | "description"
>;

/** Asks the wallet to send `call` from `owner` and tracks what it sent. Throws the wallet's error, also for a refusal. */
export async function sendTracked(
  config: Config,
  client: ChainClient,
  owner: Address,
  call: Call,
  description: Description,
): Promise<Hex> {
  const chainId = client.chain.id;
  if (getAccount(config).address?.toLowerCase() !== owner.toLowerCase()) throw new ActionError("walletChanged");
  const hash = await sendTransaction(config, { account: owner, chainId, to: call.to, data: call.data });
  trackTransaction({
    ...description,
    hash,
    chainId,
    address: owner,
    nonce: await nonceOf(client, hash, owner),
    shares: null,
    stage: "pending",
    sentAt: Date.now(),
    block: null,
    reason: null,
    replacedBy: null,
  });
  return hash;
}

/** The nonce the wallet chose. A node that does not know the transaction yet leaves the next free one as best guess. */
async function nonceOf(client: ChainClient, hash: Hex, owner: Address): Promise<number> {
  const sent = await client.getTransaction({ hash }).catch(() => null);
  if (sent !== null) return sent.nonce;
  return client.getTransactionCount({ address: owner, blockTag: "latest" }).catch(() => Number.MAX_SAFE_INTEGER);
}

/** Resolves when the tracked transaction `hash` is confirmed; throws ActionError when it ends in another way. */
export function confirmed(owner: Address, hash: Hex): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = getTransactions(owner).find((item) => item.hash === hash);
      if (found === undefined || found.stage === "pending") return;
      stop();
      if (found.stage === "confirmed") resolve();
      else reject(new ActionError(found.stage === "failed" ? "approvalFailed" : "approvalReplaced"));
    };
    const stop = subscribeTransactions(look);
    look();
  });
}
