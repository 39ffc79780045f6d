import type { Transaction, TransactionKind } from "@aqua/sdk/api/portfolio";
import { sharePriceDecimals } from "@aqua/sdk/maths/shares";
import { formatUnits } from "@aqua/sdk/maths/units";
import { getAddress } from "viem";
import type { Movement, Product } from "./world.ts";

const descriptions: Record<TransactionKind, string> = {
  deposit: "Deposit into",
  withdraw: "Withdrawal from",
  transfer_in: "Received a stake in",
  transfer_out: "Sent a stake in",
  request: "Redemption asked for from",
  processed: "Redeemed by the queue of",
  claim: "Claim from",
  cancel: "Cancelled request in",
  mature: "Payment at maturity from",
  rollover: "Rollover in",
};

/** Describes a transaction in English. */
export function describeTransaction(kind: TransactionKind, product: Pick<Product, "shareName">): string {
  return `${descriptions[kind]} ${product.shareName}`;
}

/** Converts a movement to the form of the API. */
export function toTransaction(movement: Movement, product: Product): Transaction {
  return {
    hash: movement.hash,
    chain_id: movement.chainId,
    block: movement.block,
    log_index: movement.logIndex,
    time: movement.time * 1_000,
    address: getAddress(movement.wallet),
    kind: movement.kind,
    short_id: product.shortId,
    symbol: product.assetSymbol,
    amount: formatUnits(movement.assets, product.assetDecimals),
    shares: movement.receiptId === null ? formatUnits(movement.shares, product.shareDecimals) : null,
    price: movement.price === null ? null : formatUnits(movement.price, sharePriceDecimals),
    fee: formatUnits(movement.fee, product.assetDecimals),
    deposit_id: movement.receiptId === null ? null : String(movement.receiptId),
    status: "confirmed",
    description: describeTransaction(movement.kind, product),
  };
}
