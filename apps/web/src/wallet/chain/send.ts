import type { Address } from "viem";
import type { Config } from "wagmi";
import { getAccount, sendCalls, sendTransaction } from "wagmi/actions";
import { now } from "../../server-clock.ts";
import { ActionError } from "../lifecycle/stages.ts";
import { trackTransaction } from "../lifecycle/track.ts";
import { getTransactions, nonceUnknown, subscribeTransactions, type TrackedTransaction } from "../transactions.ts";
import type { ChainClient } from "./client.ts";
import type { Description } from "./describe.ts";
import type { Call } from "./orders.ts";

type Sent = Pick<TrackedTransaction, "id" | "hash" | "nonce" | "call">;

function track({
  client,
  owner,
  description,
  sent,
}: {
  client: ChainClient;
  owner: Address;
  description: Description;
  sent: Sent;
}): string {
  trackTransaction({
    ...description,
    ...sent,
    chainId: client.chain.id,
    address: owner,
    shares: null,
    stage: "pending",
    sentAt: now(),
    block: null,
    reason: null,
    replacedBy: null,
    facts: {},
  });
  return sent.id;
}

/** Simulates `call` on the newest block; throws its error. */
export async function simulate(client: ChainClient, account: Address, call: Call): Promise<void> {
  await client.call({ account, ...call });
}

function checkOwner(config: Config, owner: Address) {
  if (getAccount(config).address?.toLowerCase() !== owner.toLowerCase()) throw new ActionError("walletChanged");
}

/**
 * Has the wallet send `call` from `owner` and tracks the transaction; resolves with its id. Throws the wallet's error,
 * also for a rejection.
 */
export async function sendTracked({
  config,
  client,
  owner,
  call,
  description,
}: {
  config: Config;
  client: ChainClient;
  owner: Address;
  call: Call;
  description: Description;
}): Promise<string> {
  const chainId = client.chain.id;
  checkOwner(config, owner);
  const { to, data } = call;
  const hash = await sendTransaction(config, { account: owner, chainId, to, data });
  // At once: what asks the chain for more first is forgotten by a reload meanwhile.
  return track({ client, owner, description, sent: { id: hash, hash, nonce: nonceUnknown, call: { to, data } } });
}

/** The same for several calls that succeed or fail together (EIP-5792). */
export async function sendBundle({
  config,
  client,
  owner,
  calls,
  description,
}: {
  config: Config;
  client: ChainClient;
  owner: Address;
  calls: readonly Call[];
  description: Description;
}): Promise<string> {
  checkOwner(config, owner);
  const { id } = await sendCalls(config, {
    account: owner,
    chainId: client.chain.id,
    calls: calls.map(({ to, data }) => ({ to, data })),
    forceAtomic: true,
  });
  return track({ client, owner, description, sent: { id, hash: null, nonce: null } });
}

/**
 * Resolves when the tracked transaction is confirmed. For any other outcome, and once the network has lost it, it throws
 * an ActionError.
 */
export function confirmed(
  owner: Address,
  id: string,
  { failed, replaced }: { failed: string; replaced: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = getTransactions(owner).find((item) => item.id === id);
      if (found === undefined || found.stage === "pending") return;
      stop();
      if (found.stage === "confirmed") resolve();
      else if (found.stage === "dropped") reject(new ActionError("stepLost"));
      else reject(new ActionError(found.stage === "failed" ? failed : replaced));
    };
    const stop = subscribeTransactions(look);
    look();
  });
}
