import { noReading } from "@aqua/sdk/proofs/reading";
import type { Hex } from "viem";

/** A batch as it was built or imported here, without its file. */
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
  /** The transaction sent last for it; null before the first. */
  hash: Hex | null;
}

/** How far the chain has come with a stream. */
export interface StreamHead {
  number: number;
  head: Hex;
}

/** `why` a stream is left alone: the chain holds a batch we do not know, or another one under the number of ours. */
export type Standing =
  | { kind: "rest"; last: OwnBatch | null }
  | { kind: "send"; batch: OwnBatch }
  | { kind: "stopped"; why: "unknown" | "foreign"; number: number };

/**
 * What there is to do for a stream. Heads decide, so that neither a reorganisation nor another writer of the same stream
 * makes us build on what is not there.
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
