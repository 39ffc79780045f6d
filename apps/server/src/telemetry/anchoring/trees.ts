import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { SignedReading } from "@aqua/sdk/api/telemetry";
import { readBatchFile } from "@aqua/sdk/proofs/batch";
import { encodeReading, type HexText, leafOf, readingHash, toHex } from "@aqua/sdk/proofs/reading";
import { buildTree, type Tree } from "@aqua/sdk/proofs/tree";
import { LRUCache } from "lru-cache";

const unzip = promisify(gunzip);
/** Maximum number of readings in all cached batches together: a few tens of megabytes. */
const MAX_READINGS = 100_000;

interface ReadBatch {
  readings: SignedReading[];
  leaves: Uint8Array[];
  tree: Tree;
}

export interface Trees {
  /**
   * Returns a reading and its path to the batch's root, from the batch's file. Returns null if the file does not
   * contain it.
   */
  proofOf(
    batch: { head: string; file: Uint8Array },
    device: string,
    seq: number,
  ): Promise<{ reading: SignedReading; leaf: HexText; proof: HexText[] } | null>;
}

/**
 * Builds the trees of batches from their files. It caches the latest ones, because people look at neighbouring
 * readings.
 */
export function createTrees(): Trees {
  const batches = new LRUCache<string, ReadBatch, Uint8Array>({
    maxSize: MAX_READINGS,
    sizeCalculation: ({ readings }) => Math.max(1, readings.length),
    fetchMethod: (_head, _stale, { context: file }) => readBatch(file),
    // A batch that is evicted while it is read is still returned to its own callers.
    ignoreFetchAbort: true,
  });

  return {
    async proofOf(batch, device, seq) {
      const { readings, leaves, tree } = await batches.forceFetch(batch.head, { context: batch.file });
      const index = readings.findIndex((one) => one.device === device && one.seq === seq);
      const [reading, leaf] = [readings[index], leaves[index]];
      return reading && leaf ? { reading, leaf: toHex(leaf), proof: tree.proofOf(index).map(toHex) } : null;
    },
  };
}

async function readBatch(file: Uint8Array): Promise<ReadBatch> {
  const { readings } = readBatchFile(await unzip(file));
  const leaves = readings.map((one) =>
    leafOf(readingHash(encodeReading({ ...one, value: BigInt(one.value), prev: one.prev as HexText }))),
  );
  return { readings, leaves, tree: buildTree(leaves) };
}
