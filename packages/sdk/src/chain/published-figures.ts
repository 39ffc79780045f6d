/** Reads the figures that a site publishes from the contracts, so that anyone can compare the two. */
import { type Address, erc20Abi, type Hex, type Log } from "viem";
import { demandVaultAbi } from "../abi/DemandVault.ts";
import { termDepositAbi } from "../abi/TermDeposit.ts";
import { penaltyOf } from "../maths/receipts.ts";
import type { ChainClient } from "./client.ts";

/** Time of a block in Unix milliseconds; without `block`, of the newest one. Throws if no node has it. */
export async function blockTime(client: ChainClient, block?: number): Promise<number> {
  const { timestamp } = await client.getBlock(block === undefined ? {} : { blockNumber: BigInt(block) });
  const time = Number(timestamp) * 1_000;
  if (!Number.isSafeInteger(time)) throw new Error("The node returned an invalid block");
  return time;
}

/** A product's accounts at one block. Amounts in smallest units. */
export type ReservesOnChain = {
  /** Time of the block, and time of the newest block, in Unix milliseconds. */
  time: number;
  newest: number;
  /** The contract's balance of the asset. */
  balance: bigint;
} & (
  | { type: "time_deposit"; cash: bigint; deployed: bigint; liabilities: bigint }
  /** `setAside` is processed money of the queue. The product holds it until it is claimed. */
  | { type: "demand_deposit"; totalAssets: bigint; deployed: bigint; setAside: bigint }
);

/** Reads a product's accounts at `block`. Asset and queue are those that the product's contract names. */
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
  const [asset, totalAssets, { deployed }, setAside] = await Promise.all([
    client.readContract({ ...vault, functionName: "asset" }),
    client.readContract({ ...vault, functionName: "totalAssets" }),
    client.readContract({ ...vault, functionName: "desk" }),
    client.readContract({ ...vault, functionName: "setAside" }),
  ]);
  return { type, time, newest, balance: await balanceOf(asset, contract), totalAssets, deployed, setAside };
}

/** The states of a receipt in the contract's numbering, from 0. From `closed` on the receipt is gone. */
const states = ["none", "running", "matured", "closed", "exited", "rolled", "settled"] as const;
export type ReceiptState = (typeof states)[number];
const rolls = ["none", "principal", "all"] as const;

/** The contract's record of a receipt. Amounts in smallest units, times in Unix seconds. */
export interface StoredReceipt {
  principal: bigint;
  openedAt: bigint;
  maturity: bigint;
  termId: bigint;
  state: ReceiptState;
  roll: (typeof rolls)[number];
  rollTermId: bigint;
  /** The amount drawn so far in a winding down. */
  paid: bigint;
}

interface ReceiptAt {
  contract: Address;
  id: bigint;
  /** The newest block if omitted. */
  block?: number | undefined;
}

const termAt = ({ contract, block }: ReceiptAt) =>
  ({
    address: contract,
    abi: termDepositAbi,
    ...(block === undefined ? {} : { blockNumber: BigInt(block) }),
  }) as const;

/** Reads a receipt's record. Throws viem's ContractFunctionZeroDataError if the address is not a time deposit. */
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

/** Reads at one block everything from which a live receipt's figures are computed. */
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
  /** `due` at maturity in smallest units; `time` of the block in Unix milliseconds. */
  return { ...stored, owner, term, due, books, time };
}

/** The cost of an early exit of `principal` from a receipt, in smallest units. */
export async function readPenalty(client: ChainClient, at: ReceiptAt, principal: bigint): Promise<bigint> {
  const { termId } = await readStoredReceipt(client, at);
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

/** Reads a transaction from the chain. Throws if no node answers. */
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
  if (![mined.block, mined.time].every(Number.isSafeInteger)) throw new Error("The node returned an invalid receipt");
  return mined;
}
