import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { erc20Abi } from "viem";
import { prepareIsland } from "../island/config.ts";
import { chainClient } from "./client.ts";
import type { VaultTerms } from "./terms.ts";

/** IdentityRegistry.Status in its order on chain. */
const statuses = ["none", "verified", "exit_only", "frozen", "retired"] as const;
type IdentityStatus = (typeof statuses)[number];

/** A wallet before a vault, everything read at one block. Amounts in smallest units. */
export interface Position {
  block: number;
  /** Time of that block, Unix milliseconds. */
  time: number;
  status: IdentityStatus;
  assetBalance: bigint;
  nativeBalance: bigint;
  shares: bigint;
  maxDeposit: bigint;
  maxWithdraw: bigint;
  maxRedeem: bigint;
  totalAssets: bigint;
  supply: bigint;
  /** Price of one unit of gas in the chain's smallest unit. */
  gasPrice: bigint;
}

/** Reads the position of `account`. Throws viem's errors when the chain does not answer. */
export async function readPosition(terms: VaultTerms, account: `0x${string}`): Promise<Position> {
  const { config } = await prepareIsland();
  const client = chainClient(config, terms.chainId);
  const block = await client.getBlock();
  const at = { blockNumber: block.number };
  const vault = { address: terms.vault, abi: demandVaultAbi, ...at } as const;
  const [
    status,
    assetBalance,
    nativeBalance,
    shares,
    maxDeposit,
    maxWithdraw,
    maxRedeem,
    totalAssets,
    supply,
    gasPrice,
  ] = await Promise.all([
    client.readContract({
      address: terms.identityRegistry,
      abi: identityRegistryAbi,
      functionName: "statusOf",
      args: [account],
      ...at,
    }),
    client.readContract({ address: terms.asset, abi: erc20Abi, functionName: "balanceOf", args: [account], ...at }),
    client.getBalance({ address: account, ...at }),
    client.readContract({ ...vault, functionName: "balanceOf", args: [account] }),
    client.readContract({ ...vault, functionName: "maxDeposit", args: [account] }),
    client.readContract({ ...vault, functionName: "maxWithdraw", args: [account] }),
    client.readContract({ ...vault, functionName: "maxRedeem", args: [account] }),
    client.readContract({ ...vault, functionName: "totalAssets" }),
    client.readContract({ ...vault, functionName: "totalSupply" }),
    client.getGasPrice(),
  ]);
  return {
    block: Number(block.number),
    time: Number(block.timestamp) * 1_000,
    status: statuses[status] ?? "none",
    assetBalance,
    nativeBalance,
    shares,
    maxDeposit,
    maxWithdraw,
    maxRedeem,
    totalAssets,
    supply,
    gasPrice,
  };
}
