import { isUnknownBundle } from "./refusal.ts";
import { type ChainReceipt, calmInterval, receiptWait } from "./watch.ts";

type Hash = `0x${string}`;

/** What the wallet says of a bundle, after EIP-5792. */
export interface BundleStatus {
  /** 100 on its way, 200 done, 400 never sent, 500 reverted, 600 done in parts. */
  code: number;
  hashes: readonly Hash[];
}

export interface BundleSteps<Log> {
  /** Asks the wallet. Throws the wallet's error. */
  status(): Promise<BundleStatus>;
  /** Asks our own node; null while it does not know the transaction. */
  receipt(hash: Hash): Promise<ChainReceipt<Log> | null>;
  interval: number;
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

export type BundleOutcome<Log> =
  | { stage: "confirmed" | "failed"; receipt: ChainReceipt<Log> }
  /** The wallet gave it up before it was in a block. */
  | { stage: "unsent" }
  /** The wallet carried out a part of it, although it had said it would not. */
  | { stage: "partly"; receipt: ChainReceipt<Log> | null }
  /** The wallet knows nothing of it. */
  | { stage: "unknown" };

/**
 * Follows a bundle. The wallet says in which transaction it carried it; whether that succeeded is what our own node says.
 * A wallet that does not answer, e.g. because it is not connected, is asked again. Resolves with null when stopped.
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
    await steps.sleep(steps.now() - start < receiptWait ? steps.interval : calmInterval);
  }
  return null;

  async function ask(): Promise<BundleOutcome<Log> | null> {
    const { code, hashes } = await steps.status();
    if (code < 200) return null;
    const last = hashes.at(-1);
    const receipt = last === undefined ? null : await steps.receipt(last);
    if (code >= 600) return { stage: "partly", receipt };
    if (receipt !== null) return { stage: receipt.success && code < 300 ? "confirmed" : "failed", receipt };
    // Done or reverted, but our node has not seen the block yet.
    if (last !== undefined || code < 300) return null;
    return { stage: "unsent" };
  }
}
