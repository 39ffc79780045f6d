import type { Holding } from "@aqua/sdk/api/portfolio";
import type { Order } from "@aqua/sdk/chain/orders";
import type { ProductTerms } from "@aqua/sdk/chain/product-terms";
import type { ChainReceipt, TermPosition } from "@aqua/sdk/chain/term-position";
import type { ReactNode } from "react";
import type { Obstacle } from "../eligibility/eligibility.ts";
import { termsOf } from "../form/product-terms.ts";
import type { ReceiptCase } from "./term-eligibility.ts";

export interface ReceiptFormProps {
  circumstances: ReceiptCase;
  holding: Holding;
  /** Renders an obstacle; null for none. */
  notice: (obstacle: Obstacle | null) => ReactNode | null;
  busy: boolean;
  onOrder: (order: Order) => Promise<void>;
}

/** All data that an order needs, once wallet and chain have been read; null before. */
export interface ReadyReceipt {
  terms: ProductTerms;
  owner: `0x${string}`;
  position: TermPosition;
  receipt: ChainReceipt;
  /** Time of the block at which it was read, Unix seconds. */
  at: bigint;
}

export function readyReceipt({ product, wallet, position, receipt }: ReceiptCase): ReadyReceipt | null {
  const terms = termsOf(product);
  if (terms === null || wallet.address === null || position === null || position === "error" || receipt === null)
    return null;
  return { terms, owner: wallet.address, position, receipt, at: BigInt(Math.floor(position.time / 1_000)) };
}
