import type { TransactionKind } from "@aqua/sdk/api/portfolio";
import { callsOver, connection } from "../connection.ts";
import { reportError } from "../report-error.ts";
import { islandControls } from "./lazy/island.tsx";
import { isLocal, storeTransaction, type TrackedTransaction } from "./transactions.ts";

const api = callsOver(connection);
const attempts = 3;

/**
 * Stores a sent transaction in this browser, in the kit's recent transactions and on the server, where the portfolio
 * shows it as pending. The visitor never waits for the server.
 */
export function trackTransaction(transaction: TrackedTransaction): void {
  storeTransaction(transaction);
  const { hash, kind, address, chainId, description } = transaction;
  // A bundle has no hash before it is in a block. After that the indexer finds it.
  if (hash === null) return;
  islandControls().then(
    (controls) => controls.addRecentTransaction({ address, chainId, hash, description }),
    (error: unknown) => reportError("wallet", error),
  );
  if (!isLocal(kind)) void reportToServer({ ...transaction, hash, kind });
}

type SentTransaction = TrackedTransaction & { hash: `0x${string}`; kind: TransactionKind };

async function reportToServer(transaction: SentTransaction): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await api.addPendingTransaction({
        hash: transaction.hash,
        chain_id: transaction.chainId,
        address: transaction.address,
        kind: transaction.kind,
        // The description stays in this browser. The server derives its own from the call.
        description: transaction.kind,
        ...(transaction.shortId === null ? {} : { short_id: transaction.shortId }),
        ...(transaction.amount === null ? {} : { amount: transaction.amount }),
      });
      return;
    } catch (error) {
      if (attempt === attempts) {
        const meaning = "was not reported to the server; the portfolio shows it once it is indexed";
        reportError("wallet", new Error(`Transaction ${transaction.hash} ${meaning}`, { cause: error }));
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, attempt * 1_000));
    }
  }
}
