import { demandVaultAbi } from "../abi/DemandVault.ts";
import { redemptionQueueAbi } from "../abi/RedemptionQueue.ts";
import type { ChainClient } from "./client.ts";
import type { ProductTerms } from "./product-terms.ts";
import { readWallet, type WalletPosition } from "./wallet-position.ts";

/** A wallet's position in the redemption queue. Assets and shares in smallest units. */
export interface QueuePosition {
  /** The wallet's waiting shares. */
  waiting: bigint;
  /** Shares of others that are ahead of the wallet's first request. */
  ahead: bigint;
  /** All shares waiting in the queue. */
  queued: bigint;
  /** Assets set aside for the wallet. */
  claimable: bigint;
}

/** A wallet's state in a vault, read at one block. Amounts in smallest units. */
export interface Position extends WalletPosition {
  shares: bigint;
  maxDeposit: bigint;
  maxWithdraw: bigint;
  maxRedeem: bigint;
  totalAssets: bigint;
  supply: bigint;
  /** Null if the vault has no queue. */
  queue: QueuePosition | null;
}

/** Reads the position of `account`. Throws viem's errors if the chain does not answer. */
export async function readPosition(
  client: ChainClient,
  terms: ProductTerms,
  account: `0x${string}`,
): Promise<Position> {
  const { wallet, at } = await readWallet(client, terms, account);
  const vault = { address: terms.contract, abi: demandVaultAbi, ...at } as const;
  const [shares, maxDeposit, maxWithdraw, maxRedeem, totalAssets, supply, queue] = await Promise.all([
    client.readContract({ ...vault, functionName: "balanceOf", args: [account] }),
    client.readContract({ ...vault, functionName: "maxDeposit", args: [account] }),
    client.readContract({ ...vault, functionName: "maxWithdraw", args: [account] }),
    client.readContract({ ...vault, functionName: "maxRedeem", args: [account] }),
    client.readContract({ ...vault, functionName: "totalAssets" }),
    client.readContract({ ...vault, functionName: "totalSupply" }),
    readQueue(client, { terms, account, at }),
  ]);
  return { ...wallet, shares, maxDeposit, maxWithdraw, maxRedeem, totalAssets, supply, queue };
}

async function readQueue(
  client: ChainClient,
  {
    terms: { contract, queue },
    account,
    at,
  }: { terms: ProductTerms; account: `0x${string}`; at: { blockNumber: bigint } },
): Promise<QueuePosition | null> {
  if (queue === null) return null;
  const line = { address: queue, abi: redemptionQueueAbi, ...at } as const;
  const [waiting, ahead, claimable, queued] = await Promise.all([
    client.readContract({ ...line, functionName: "pendingRedeemRequest", args: [0n, account] }),
    client.readContract({ ...line, functionName: "sharesAhead", args: [account] }),
    client.readContract({ ...line, functionName: "maxWithdraw", args: [account] }),
    client.readContract({ address: contract, abi: demandVaultAbi, functionName: "balanceOf", args: [queue], ...at }),
  ]);
  return { waiting, ahead, claimable, queued };
}
