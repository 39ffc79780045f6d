import { isUnknownBundle } from "./refusal.ts";
import { type ChainReceipt, calmInterval, receiptWait } from "./watch.ts";

type Hash = `0x${string}`;

/** A bundle's status in the wallet, by EIP-5792. */
export interface BundleStatus {
  /** 100 pending, 200 confirmed, 400 never sent, 500 reverted, 600 partly executed. */
  code: number;
  hashes: readonly Hash[];
}

export interface BundleSteps<Log> {
  /** Queries the wallet. Throws the wallet's error. */
  status(): Promise<BundleStatus>;
  /** Queries our own node; null while it does not have the transaction. */
  receipt(hash: Hash): Promise<ChainReceipt<Log> | null>;
  interval: number;
  now(): number;
  nextBlock(milliseconds: number): Promise<void>;
  sleep(milliseconds: number): Promise<void>;
}

export type BundleOutcome<Log> =
  | { stage: "confirmed" | "failed"; receipt: ChainReceipt<Log> }
  /** The wallet abandoned it before it was in a block. */
  | { stage: "unsent" }
  /** The wallet executed only a part, although the bundle was requested as atomic. */
  | { stage: "partly"; receipt: ChainReceipt<Log> | null }
  /** The wallet does not know the bundle. */
  | { stage: "unknown" };

/**
 * Follows a bundle. The wallet returns the transaction that included it; our own node decides whether that succeeded. A
 * wallet that does not answer, e.g. because it is disconnected, is queried again. Resolves with null when stopped.
 */
export async function watchBundle<Log>(
  steps: BundleSteps<Log>,
  stopped: () => boolean,
): Promise<BundleOutcome<Log> | null> {
  const start = steps.now();
  while (!stopped()) {
    const outcome = await ask().catch((error: unknown) =>
      isUnknownBundle(error) ? ({ stage: "unknown" } as const) : null,
    );
    if (outcome !== null) return outcome;
    await (steps.now() - start < receiptWait ? steps.nextBlock(steps.interval) : steps.sleep(calmInterval));
  }
  return null;

  async function ask(): Promise<BundleOutcome<Log> | null> {
    const { code, hashes } = await steps.status();
    if (code < 200) return null;
    const last = hashes.at(-1);
    const receipt = last === undefined ? null : await steps.receipt(last);
    if (code >= 600) return { stage: "partly", receipt };
    if (receipt !== null) return { stage: receipt.success && code < 300 ? "confirmed" : "failed", receipt };
    // Confirmed or reverted, but our node does not have the block yet.
    if (last !== undefined || code < 300) return null;
    return { stage: "unsent" };
  }
}
