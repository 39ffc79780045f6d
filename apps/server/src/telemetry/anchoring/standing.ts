import { noReading } from "@aqua/sdk/proofs/reading";
import type { Hex } from "viem";

/** A batch that was built or imported here, without its file. */
export interface OwnBatch {
  number: number;
  previousHead: Hex;
  root: Hex;
  from: number;
  to: number;
  count: number;
  dataHash: Hex;
  head: Hex;
  createTime: number;
  /** Hash of the last transaction sent for the batch. Null before the first. */
  hash: Hex | null;
}

/** The stream is not advanced until a person has resolved the problem. */
export class Stopped extends Error {
  override name = "Stopped";
  /** @param patience milliseconds in which the problem may resolve itself */
  constructor(
    message: string,
    readonly patience = 0,
  ) {
    super(message);
  }
}

/** The last batch of a stream on chain: its number and head. */
export interface StreamHead {
  number: number;
  head: Hex;
}

/**
 * `why` is the reason a stream is stopped: the chain holds a batch that the tables do not have, or a different batch
 * under the number of ours.
 */
export type Standing =
  | { kind: "rest"; last: OwnBatch | null }
  | { kind: "send"; batch: OwnBatch }
  | { kind: "stopped"; why: "unknown" | "foreign"; number: number };

/**
 * Determines the next action for a stream. The decision compares heads, so a reorg or another writer of the same
 * stream never leads to a batch on top of a missing one.
 * @param chain the last batch on chain, null before the first
 * @param own our batches from that number on, in their order
 */
export function standingOf(chain: StreamHead | null, own: readonly OwnBatch[]): Standing {
  const { number, head } = chain ?? { number: 0, head: noReading };
  const last = own.find((batch) => batch.number === number) ?? null;
  if (chain && last === null) return { kind: "stopped", why: "unknown", number };
  if (last !== null && last.head !== head) return { kind: "stopped", why: "foreign", number };
  const next = own.find((batch) => batch.number === number + 1);
  if (next === undefined) return { kind: "rest", last };
  if (next.previousHead !== head) return { kind: "stopped", why: "foreign", number };
  return { kind: "send", batch: next };
}
