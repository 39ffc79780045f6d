type Hash = `0x${string}`;

/** Receipt timeout of the specification, in milliseconds; after it the chain is polled at the slower interval below. */
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

/** What watching needs of the chain. After a method throws, the chain is queried again later. */
export interface WatchSteps<Log> {
  receipt(hash: Hash): Promise<ChainReceipt<Log> | null>;
  /** The transaction, pending or mined; null when the node does not have it. */
  transaction(hash: Hash): Promise<ChainTransaction | null>;
  /** Nonce of the sender at the newest block: the number of its mined transactions. */
  minedNonce(): Promise<number>;
  /** The sender's transaction with this nonce in a recent block; null when it is not found there. */
  minedWithNonce(nonce: number): Promise<ChainTransaction | null>;
  /** True when the node has not had the transaction for the whole receipt timeout, false when it has it again. */
  lost(lost: boolean): void;
  /** The most milliseconds between two queries, until the receipt timeout. */
  interval: number;
  now(): number;
  /** Resolves with the chain's next block, or after so many milliseconds. */
  nextBlock(milliseconds: number): Promise<void>;
  sleep(milliseconds: number): Promise<void>;
}

export type Outcome<Log> =
  | { stage: "confirmed" | "failed"; receipt: ChainReceipt<Log> }
  /**
   * `by`: what was found to do something else; null where nothing could be found or compared, so that this one may have
   * taken effect with a higher fee. `cancelled`: by an empty transaction of the wallet to itself, which is how wallets
   * cancel one.
   */
  | { stage: "replaced"; by: Hash | null; cancelled: boolean };

/** What a transaction does, apart from its fee. */
export type Effect = Pick<ChainTransaction, "to" | "input" | "value">;

/**
 * Follows one sent transaction until it is mined or its nonce was used by another one, even while the node has lost it.
 * A resubmission with a higher fee (same receiver, data and value) counts as the same transaction. `effect`: of what was
 * sent, null where it was not stored. Resolves with null when stopped.
 */
export async function watchTransaction<Log>(
  sent: { hash: Hash; nonce: number; effect: Effect | null },
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
    await (steps.now() - start < receiptWait ? steps.nextBlock(steps.interval) : steps.sleep(calmInterval));
  }
  return null;

  async function ask(): Promise<Outcome<Log> | null> {
    const mined = await steps.receipt(sent.hash);
    if (mined !== null) return { stage: mined.success ? "confirmed" : "failed", receipt: mined };
    const waiting = await steps.transaction(sent.hash);
    known = waiting ?? known;
    const nonce = known?.nonce ?? sent.nonce;
    if ((await steps.minedNonce()) <= nonce) {
      look(waiting !== null);
      return null;
    }
    // The nonce is used. A block may have been mined between the two queries, so the receipt is fetched once more.
    const late = await steps.receipt(sent.hash);
    if (late !== null) return { stage: late.success ? "confirmed" : "failed", receipt: late };
    const other = await steps.minedWithNonce(nonce);
    const effect = known ?? sent.effect;
    const unknown = { stage: "replaced", by: null, cancelled: false } as const;
    if (other === null || (effect === null && other.hash !== sent.hash)) return unknown;
    if (other.hash !== sent.hash && effect !== null && !isSame(other, effect))
      return { stage: "replaced", by: other.hash, cancelled: isEmpty(other) };
    const receipt = await steps.receipt(other.hash);
    // A node that has the block but not its receipts yet is asked again.
    return receipt && { stage: receipt.success ? "confirmed" : "failed", receipt };
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

function isSame(a: Effect, b: Effect): boolean {
  return a.to?.toLowerCase() === b.to?.toLowerCase() && a.input === b.input && a.value === b.value;
}
