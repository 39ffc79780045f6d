import type { TransactionKind } from "@aqua/sdk/api/account";
import { walletApi } from "../api.ts";
import { whenIslandReady } from "../handover.ts";
import { putTransaction, type TrackedTransaction } from "../transactions.ts";

const attempts = 3;

/**
 * Remembers a sent transaction in this browser, in the kit's recent transactions and on the server, where the portfolio
 * shows it as pending. What the server does with it never holds up the visitor.
 */
export function trackTransaction(transaction: TrackedTransaction): void {
  putTransaction(transaction);
  const { hash, description } = transaction;
  whenIslandReady().then((controls) => controls.addRecentTransaction({ hash, description }));
  if (transaction.kind !== "approve") void tellServer({ ...transaction, kind: transaction.kind });
}

async function tellServer(transaction: TrackedTransaction & { kind: TransactionKind }): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      await walletApi.addPendingTransaction({
        hash: transaction.hash,
        chain_id: transaction.chainId,
        address: transaction.address,
        kind: transaction.kind,
        description: transaction.description,
        ...(transaction.shortId === null ? {} : { short_id: transaction.shortId }),
        ...(transaction.amount === null ? {} : { amount: transaction.amount }),
      });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, attempt * 1_000));
    }
  }
}
