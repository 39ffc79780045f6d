import { erc20Abi } from "viem";
import { identityRegistryAbi } from "../abi/IdentityRegistry.ts";
import type { ChainClient } from "./client.ts";
import type { ProductTerms } from "./product-terms.ts";

/** IdentityRegistry.Status in the contract's order. */
const statuses = ["none", "verified", "exit_only", "frozen", "retired"] as const;
export type IdentityStatus = (typeof statuses)[number];

/** The state of a wallet that does not depend on a product, read at one block. Amounts in smallest units. */
export interface WalletPosition {
  block: number;
  /** Time of that block in Unix milliseconds. */
  time: number;
  status: IdentityStatus;
  assetBalance: bigint;
  /**
   * True if the network fee cannot be paid: the wallet has no coin of the chain, and no code whose executor or sponsor
   * would pay.
   */
  noGas: boolean;
  /** Price of one unit of gas in the chain's smallest unit. */
  gasPrice: bigint;
}

/** Reads a wallet's status in the registry, at the newest block or at the given one. */
export async function readStatus({
  client,
  registry,
  account,
  at = {},
}: {
  client: ChainClient;
  registry: `0x${string}`;
  account: `0x${string}`;
  at?: { blockNumber?: bigint };
}): Promise<IdentityStatus> {
  const abi = identityRegistryAbi;
  const status = await client.readContract({
    address: registry,
    abi,
    functionName: "statusOf",
    args: [account],
    ...at,
  });
  return statuses[status] ?? "none";
}

/** Reads what every product needs to know about a wallet. Throws viem's errors if the chain does not answer. */
export async function readWallet(
  client: ChainClient,
  terms: ProductTerms,
  account: `0x${string}`,
): Promise<{ wallet: WalletPosition; at: { blockNumber: bigint } }> {
  const block = await client.getBlock();
  const at = { blockNumber: block.number };
  const [status, assetBalance, nativeBalance, code, gasPrice] = await Promise.all([
    readStatus({ client, registry: terms.identityRegistry, account, at }),
    client.readContract({ address: terms.asset, abi: erc20Abi, functionName: "balanceOf", args: [account], ...at }),
    client.getBalance({ address: account, ...at }),
    client.getCode({ address: account, ...at }),
    client.getGasPrice(),
  ]);
  const wallet = {
    block: Number(block.number),
    time: Number(block.timestamp) * 1_000,
    status,
    assetBalance,
    noGas: nativeBalance === 0n && (code === undefined || code === "0x"),
    gasPrice,
  };
  return { wallet, at };
}
