type Hash = `0x${string}`;

/** Receipt wait of the specification; after it the chain is still asked, but calmly. */
export const receiptWait = 300_000;
export const calmInterval = 30_000;

export interface ChainTransaction {
  hash: Hash;
  nonce: number;
  from: string;
  to: string | null;
  input: string;
  value: bigint;
}

export interface ChainReceipt<Log> {
  hash: Hash;
  success: boolean;
  block: number;
  logs: readonly Log[];
}

/** What watching needs of the chain. A method may throw: the chain is then asked again later. */
export interface WatchSteps<Log> {
  receipt(hash: Hash): Promise<ChainReceipt<Log> | null>;
  /** The transaction, whether it waits or is in a block; null when the node does not know it. */
  transaction(hash: Hash): Promise<ChainTransaction | null>;
  /** Nonce of the sender at the newest block: how many of its transactions are in blocks. */
  minedNonce(): Promise<number>;
  /** The transaction of the sender with this nonce in a recent block; null when it is not found there. */
  minedWithNonce(nonce: number): Promise<ChainTransaction | null>;
  /** The node has not known the transaction for the whole receipt wait (true), or knows it again (false). */
  lost(lost: boolean): void;
  /** Milliseconds between two questions. */
  interval: number;
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

export type Outcome<Log> =
  | { stage: "confirmed" | "failed"; receipt: ChainReceipt<Log> }
  /** `cancelled`: by an empty transaction of the wallet to itself, the way wallets take one back. */
  | { stage: "replaced"; by: Hash | null; cancelled: boolean };

/**
 * Follows one sent transaction until it is in a block or its nonce was used by another one, also while the node has lost it. A transaction that was only
 * sent again with a higher fee (same receiver, data and value) counts as itself. Resolves with null when stopped.
 */
export async function watchTransaction<Log>(
  sent: { hash: Hash; nonce: number },
  steps: WatchSteps<Log>,
  stopped: () => boolean,
): Promise<Outcome<Log> | null> {
  const start = steps.now();
  let known: ChainTransaction | null = null;
  let unknownSince: number | null = null;
  let lost = false;
  while (!stopped()) {
    const outcome = await ask().catch(() => null);
    if (outcome !== null) return outcome;
    await steps.sleep(steps.now() - start < receiptWait ? steps.interval : calmInterval);
  }
  return null;

  async function ask(): Promise<Outcome<Log> | null> {
    const receipt = await steps.receipt(sent.hash);
    if (receipt !== null) return { stage: receipt.success ? "confirmed" : "failed", receipt };
    const waiting = await steps.transaction(sent.hash);
    known = waiting ?? known;
    // What it was tracked with may have been a guess; the node knows.
    const nonce = known?.nonce ?? sent.nonce;
    if ((await steps.minedNonce()) <= nonce) {
      look(waiting !== null);
      return null;
    }
    // The nonce is used up. A block may have come between the two questions, so the receipt is asked for once more.
    const late = await steps.receipt(sent.hash);
    if (late !== null) return { stage: late.success ? "confirmed" : "failed", receipt: late };
    const other = await steps.minedWithNonce(nonce);
    if (other !== null && known !== null && isSameCall(other, known)) {
      const repriced = await steps.receipt(other.hash);
      if (repriced !== null) return { stage: repriced.success ? "confirmed" : "failed", receipt: repriced };
    }
    return { stage: "replaced", by: other?.hash ?? null, cancelled: other !== null && isEmpty(other) };
  }

  function look(isKnown: boolean) {
    unknownSince = isKnown ? null : (unknownSince ?? steps.now());
    const isLost = unknownSince !== null && steps.now() - unknownSince >= receiptWait;
    if (isLost !== lost) steps.lost(isLost);
    lost = isLost;
  }
}

function isEmpty({ from, to, input, value }: ChainTransaction): boolean {
  return to?.toLowerCase() === from.toLowerCase() && input === "0x" && value === 0n;
}

function isSameCall(a: ChainTransaction, b: ChainTransaction): boolean {
  return a.to?.toLowerCase() === b.to?.toLowerCase() && a.input === b.input && a.value === b.value;
}
