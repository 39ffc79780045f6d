import { productRegistryAbi } from "../abi/ProductRegistry.ts";
import { termDepositAbi } from "../abi/TermDeposit.ts";
import { timeUnits } from "../maths/term.ts";
import type { OfferedTerm } from "../maths/term-orders.ts";
import type { ChainClient } from "./client.ts";
import { isRevert } from "./errors.ts";
import type { ProductTerms } from "./product-terms.ts";
import { readWallet, type WalletPosition } from "./wallet-position.ts";

/** A term in the contract. Amounts in smallest units, rates with 18 decimals. */
export interface ChainTerm extends OfferedTerm {
  open: boolean;
}

/** The current state of a receipt. Amounts in smallest units, times in Unix seconds. */
export interface ChainReceipt {
  id: bigint;
  /** Null if it is closed. */
  owner: `0x${string}` | null;
  principal: bigint;
  openedAt: bigint;
  maturity: bigint;
  term: ChainTerm;
  roll: "none" | "principal" | "all";
  rollTermId: number;
  /** The amount drawn so far in a winding down. */
  paid: bigint;
  /** The amount that can be drawn in a winding down. */
  claimable: bigint;
}

/** A wallet's state in a time deposit, read at one block. */
export interface TermPosition extends WalletPosition {
  /** True if the product registry allows deposits. */
  open: boolean;
  cap: bigint;
  minDeposit: bigint;
  /** Unix milliseconds; 0 if the product was never paused. */
  pausedUntil: number;
  /** The fraction of all principal that is never deployed, with 18 decimals. */
  buffer: bigint;
  cash: bigint;
  deployed: bigint;
  liabilities: bigint;
  reserved: bigint;
  /** What the receipts of a winding down share; 0 without one. */
  claims: bigint;
  terms: ChainTerm[];
  /** The requested receipt. */
  receipt: ChainReceipt | null;
}

const rollNames = ["none", "principal", "all"] as const;

export interface TermPositionQuery {
  product: ProductTerms;
  account: `0x${string}`;
  terms: readonly number[];
  /** The receipt to read; null for none. */
  receipt: bigint | null;
}

/** Reads the product, the given terms, and one receipt with its term. Throws viem's errors. */
export async function readTermPosition(
  client: ChainClient,
  { product, account, ...wanted }: TermPositionQuery,
): Promise<TermPosition> {
  const { wallet, at } = await readWallet(client, product, account);
  const contract = { address: product.contract, abi: termDepositAbi, ...at } as const;
  const [limits, books, buffer, registry, terms, receipt] = await Promise.all([
    client.readContract({ ...contract, functionName: "limits" }),
    client.readContract({ ...contract, functionName: "books" }),
    client.readContract({ ...contract, functionName: "buffer" }),
    client.readContract({ ...contract, functionName: "productRegistry" }),
    Promise.all(wanted.terms.map((id) => readTerm({ client, product, id, at }))),
    wanted.receipt === null ? null : readReceipt({ client, product, id: wanted.receipt, at }),
  ]);
  const open = await client.readContract({
    address: registry,
    abi: productRegistryAbi,
    functionName: "isOpen",
    args: [product.contract],
    ...at,
  });
  const [cap, minDeposit, pausedUntil] = limits;
  return {
    ...wallet,
    open,
    cap,
    minDeposit,
    pausedUntil: Number(pausedUntil) * 1_000,
    buffer,
    cash: books.cash,
    deployed: books.deployed,
    liabilities: books.liabilities,
    reserved: books.reserved,
    claims: books.claims,
    terms,
    receipt,
  };
}

interface At {
  blockNumber: bigint;
}

async function readTerm({
  client,
  product,
  id,
  at,
}: {
  client: ChainClient;
  product: ProductTerms;
  id: number;
  at: At;
}): Promise<ChainTerm> {
  const { unit, ...term } = await client.readContract({
    address: product.contract,
    abi: termDepositAbi,
    functionName: "termOf",
    args: [BigInt(id)],
    ...at,
  });
  return { ...term, id, unit: timeUnits[unit] ?? "day" };
}

/**
 * The contract reverts if it is asked for the owner of a closed receipt. An unreachable node proves nothing, so that
 * error is rethrown.
 */
function nullIfGone(error: unknown): null {
  if (isRevert(error)) return null;
  throw error;
}

async function readReceipt({
  client,
  product,
  id,
  at,
}: {
  client: ChainClient;
  product: ProductTerms;
  id: bigint;
  at: At;
}): Promise<ChainReceipt> {
  const contract = { address: product.contract, abi: termDepositAbi, ...at } as const;
  const [[deposit, paid], claimable, owner] = await Promise.all([
    client.readContract({ ...contract, functionName: "receiptOf", args: [id] }),
    client.readContract({ ...contract, functionName: "claimable", args: [id] }),
    client.readContract({ ...contract, functionName: "ownerOf", args: [id] }).catch(nullIfGone),
  ]);
  return {
    id,
    owner,
    principal: deposit.principal,
    openedAt: deposit.openedAt,
    maturity: deposit.maturity,
    term: await readTerm({ client, product, id: Number(deposit.termId), at }),
    roll: rollNames[Number(deposit.roll)] ?? "none",
    rollTermId: Number(deposit.rollTermId),
    paid,
    claimable,
  };
}
