import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { TransactionKind } from "@aqua/sdk/api/portfolio";
import { type Abi, BaseError, decodeFunctionData, type Hex } from "viem";
import type { Orm } from "../db/database.ts";
import type { Product } from "../indexer/world.ts";
import * as store from "./store.ts";

/** The effect of a transaction on a product, decoded from its call. */
export interface ProductCall {
  product: Product;
  kind: TransactionKind;
  /** Smallest units of the asset. Null if the call names only shares or a receipt. */
  assets: bigint | null;
}

interface SentCall {
  /** Lower case. */
  from: Hex;
  /** Null if the transaction creates a contract. */
  to: Hex | null;
  input: Hex;
}

interface Meaning {
  kind: TransactionKind;
  /** Index of the argument that is the amount of the asset. */
  assets?: number;
  /** Index of the argument that names the owner of the position. It must equal the sender. */
  owner?: number;
}

const sent: Meaning = { kind: "transfer_out", owner: 0 };
const vaultCalls: Record<string, Meaning> = {
  deposit: { kind: "deposit", assets: 0 },
  depositWithPermit: { kind: "deposit", assets: 0 },
  mint: { kind: "deposit" },
  withdraw: { kind: "withdraw", assets: 0, owner: 2 },
  redeem: { kind: "withdraw", owner: 2 },
  transfer: { kind: "transfer_out" },
  transferFrom: sent,
};
const queueCalls: Record<string, Meaning> = {
  requestRedeem: { kind: "request", owner: 2 },
  claim: { kind: "claim", owner: 1 },
  redeem: { kind: "claim", owner: 2 },
  withdraw: { kind: "claim", assets: 0, owner: 2 },
};
const termCalls: Record<string, Meaning> = {
  open: { kind: "deposit", assets: 1 },
  openWithPermit: { kind: "deposit", assets: 1 },
  close: { kind: "mature" },
  exitEarly: { kind: "withdraw" },
  rollover: { kind: "rollover" },
  claim: { kind: "claim" },
  transferFrom: sent,
  safeTransferFrom: sent,
};

/**
 * Returns null if the transaction does not call a listed product, or if the call does not move a position of its
 * sender.
 */
export async function readCall(orm: Orm, chainId: number, { from, to, input }: SentCall): Promise<ProductCall | null> {
  if (to === null) return null;
  const listed = await store.productAt(orm, chainId, to);
  const product = listed ?? (await store.productOfQueue(orm, chainId, to));
  if (product === null) return null;
  const [abi, calls]: [Abi, Record<string, Meaning>] =
    listed === null
      ? [redemptionQueueAbi, queueCalls]
      : product.productType === 0
        ? [demandVaultAbi, vaultCalls]
        : [termDepositAbi, termCalls];
  const call = decode(abi, input);
  const meaning = call && calls[call.functionName];
  if (!meaning) return null;
  const { kind, assets, owner } = meaning;
  if (owner !== undefined && String(call.args[owner]).toLowerCase() !== from) return null;
  return { product, kind, assets: assets === undefined ? null : (call.args[assets] as bigint) };
}

/** Returns null for a function that the contract does not have, or for arguments that do not match the function. */
function decode(abi: Abi, data: Hex): { functionName: string; args: readonly unknown[] } | null {
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi, data });
    return { functionName, args };
  } catch (error) {
    if (error instanceof BaseError) return null;
    throw error;
  }
}
