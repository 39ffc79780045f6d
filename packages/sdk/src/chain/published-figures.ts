/** Reads from the contracts what a site publishes, so that anyone can compare the two. */
import { type Address, erc20Abi, type Hex, type Log, zeroAddress } from "viem";
import { demandVaultAbi } from "../abi/DemandVault.ts";
import { termDepositAbi } from "../abi/TermDeposit.ts";
import { penaltyOf } from "../maths/receipts.ts";
import type { ChainClient } from "./client.ts";

/** Time of a block, or of the newest one, in Unix milliseconds. Throws when no node has it. */
export async function blockTime(client: ChainClient, block?: number): Promise<number> {
  const { timestamp } = await client.getBlock(block === undefined ? {} : { blockNumber: BigInt(block) });
  const time = Number(timestamp) * 1_000;
  if (!Number.isSafeInteger(time)) throw new Error("The node's answer is no block");
  return time;
}

/** A product's accounts at one block, amounts in smallest units. */
export type ReservesOnChain = {
  /** Time of the block, and of the newest one, in Unix milliseconds. */
  time: number;
  newest: number;
  /** The asset's balance of the contract. */
  balance: bigint;
} & (
  | { type: "time_deposit"; cash: bigint; deployed: bigint; liabilities: bigint }
  /** `unsent`: what the asset refuses the queue, set aside in the product until it is claimed. */
  | { type: "demand_deposit"; totalAssets: bigint; deployed: bigint; unsent: bigint; queueBalance: bigint }
);

/** The asset and the queue are those that the product's contract names. */
export async function readReserves(
  client: ChainClient,
  { type, contract, block }: { type: ReservesOnChain["type"]; contract: Address; block: number },
): Promise<ReservesOnChain> {
  const at = { blockNumber: BigInt(block) };
  const [time, newest] = await Promise.all([blockTime(client, block), blockTime(client)]);
  const balanceOf = (asset: Address, holder: Address) =>
    client.readContract({ address: asset, abi: erc20Abi, functionName: "balanceOf", args: [holder], ...at });
  if (type === "time_deposit") {
    const term = { address: contract, abi: termDepositAbi, ...at } as const;
    const [asset, { cash, deployed, liabilities }] = await Promise.all([
      client.readContract({ ...term, functionName: "asset" }),
      client.readContract({ ...term, functionName: "books" }),
    ]);
    return { type, time, newest, balance: await balanceOf(asset, contract), cash, deployed, liabilities };
  }
  const vault = { address: contract, abi: demandVaultAbi, ...at } as const;
  const [asset, totalAssets, { deployed, queue }, unsent] = await Promise.all([
    client.readContract({ ...vault, functionName: "asset" }),
    client.readContract({ ...vault, functionName: "totalAssets" }),
    client.readContract({ ...vault, functionName: "desk" }),
    client.readContract({ ...vault, functionName: "unsent" }),
  ]);
  const [balance, queueBalance] = await Promise.all([
    balanceOf(asset, contract),
    queue === zeroAddress ? 0n : balanceOf(asset, queue),
  ]);
  return { type, time, newest, balance, totalAssets, deployed, unsent, queueBalance };
}

/** A receipt's states in the contract's numbering, from 0; from `closed` on it is gone. */
const states = ["none", "running", "matured", "closed", "exited", "rolled", "settled"] as const;
export type ReceiptState = (typeof states)[number];
const rolls = ["none", "principal", "all"] as const;

/** What the contract stores of a receipt. Amounts in smallest units, times in Unix seconds. */
export interface StoredReceipt {
  principal: bigint;
  openedAt: bigint;
  maturity: bigint;
  termId: bigint;
  state: ReceiptState;
  roll: (typeof rolls)[number];
  rollTermId: bigint;
  /** What it has drawn in a winding down so far. */
  paid: bigint;
}

interface ReceiptAt {
  contract: Address;
  id: bigint;
  /** The newest block where it is left out. */
  block?: number | undefined;
}

const termAt = ({ contract, block }: ReceiptAt) =>
  ({
    address: contract,
    abi: termDepositAbi,
    ...(block === undefined ? {} : { blockNumber: BigInt(block) }),
  }) as const;

/** Throws viem's ContractFunctionZeroDataError where the address is no time deposit. */
export async function readStoredReceipt(client: ChainClient, at: ReceiptAt): Promise<StoredReceipt> {
  const [{ status, roll, ...deposit }, paid] = await client.readContract({
    ...termAt(at),
    functionName: "receiptOf",
    args: [at.id],
  });
  return { ...deposit, paid, state: states[Number(status)] ?? "none", roll: rolls[Number(roll)] ?? "none" };
}

/** The owner of a live receipt. Throws viem's error for a receipt that is gone. */
export function readReceiptOwner(client: ChainClient, at: ReceiptAt): Promise<Address> {
  return client.readContract({ ...termAt(at), functionName: "ownerOf", args: [at.id] });
}

/** Everything that a live receipt's figures follow from, read at one block. */
export async function readReceipt(client: ChainClient, at: ReceiptAt) {
  const contract = termAt(at);
  const stored = await readStoredReceipt(client, at);
  const [owner, term, due, books, time] = await Promise.all([
    readReceiptOwner(client, at),
    client.readContract({ ...contract, functionName: "termOf", args: [stored.termId] }),
    client.readContract({ ...contract, functionName: "quoteExit", args: [at.id, stored.maturity] }),
    client.readContract({ ...contract, functionName: "books" }),
    blockTime(client, at.block),
  ]);
  /** `due` at maturity, in smallest units; `time` of the block in Unix milliseconds. */
  return { ...stored, owner, term, due, books, time };
}

/** What an early exit of a receipt costs, in smallest units. */
export async function readPenalty(client: ChainClient, at: ReceiptAt): Promise<bigint> {
  const { principal, termId } = await readStoredReceipt(client, at);
  const { penalty } = await client.readContract({ ...termAt(at), functionName: "termOf", args: [termId] });
  return penaltyOf({ principal, penalty });
}

/** A transaction in a block; `time` in Unix milliseconds. */
export interface MinedTransaction {
  block: number;
  time: number;
  succeeded: boolean;
  logs: readonly Log[];
}

/** The transaction as the chain has it. Throws when no node answers. */
export async function readTransaction(
  client: ChainClient,
  hash: Hex,
): Promise<MinedTransaction | "pending" | "unknown"> {
  const absent = (name: string) => (error: Error) => {
    if (error.name === name) return null;
    throw error;
  };
  const receipt = await client.getTransactionReceipt({ hash }).catch(absent("TransactionReceiptNotFoundError"));
  if (!receipt?.blockHash) {
    const transaction = await client.getTransaction({ hash }).catch(absent("TransactionNotFoundError"));
    return transaction === null ? "unknown" : "pending";
  }
  const { timestamp } = await client.getBlock({ blockHash: receipt.blockHash });
  const mined = {
    block: Number(receipt.blockNumber),
    time: Number(timestamp) * 1_000,
    succeeded: receipt.status === "success",
    logs: receipt.logs,
  };
  if (![mined.block, mined.time].every(Number.isSafeInteger)) throw new Error("The node's answer is no receipt");
  return mined;
}
