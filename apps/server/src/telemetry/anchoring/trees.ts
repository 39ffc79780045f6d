import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { SignedReading } from "@aqua/sdk/api/telemetry";
import { readBatchFile } from "@aqua/sdk/proofs/batch";
import { encodeReading, type HexText, leafOf, readingHash, toHex } from "@aqua/sdk/proofs/reading";
import { buildTree, type Tree } from "@aqua/sdk/proofs/tree";

const unzip = promisify(gunzip);
/** Readings whose trees are kept at hand: some tens of megabytes. */
const MAX_READINGS = 100_000;

interface ReadBatch {
  readings: SignedReading[];
  leaves: Uint8Array[];
  tree: Tree;
}

export interface Trees {
  /** A reading and its path to the batch's root, from the batch's file; null when the file does not hold it. */
  proofOf(
    batch: { head: string; file: Uint8Array },
    device: string,
    seq: number,
  ): Promise<{ reading: SignedReading; leaf: HexText; proof: HexText[] } | null>;
}

/** Builds the trees of batches anew from their files; those asked for last are kept, since people look at neighbours. */
export function createTrees(): Trees {
  const kept = new Map<string, Promise<ReadBatch>>();
  const sizes = new Map<string, number>();

  async function read(file: Uint8Array): Promise<ReadBatch> {
    const { readings } = readBatchFile(await unzip(file));
    const leaves = readings.map((one) =>
      leafOf(readingHash(encodeReading({ ...one, value: BigInt(one.value), prev: one.prev as HexText }))),
    );
    return { readings, leaves, tree: buildTree(leaves) };
  }

  async function of({ head, file }: { head: string; file: Uint8Array }): Promise<ReadBatch> {
    const known = kept.get(head);
    const batch = known ?? read(file);
    // Put last: the first are those asked for longest ago.
    kept.delete(head);
    kept.set(head, batch);
    try {
      sizes.set(head, (await batch).readings.length);
    } catch (error) {
      kept.delete(head);
      throw error;
    }
    for (const oldest of kept.keys()) {
      if (oldest === head || [...sizes.values()].reduce((sum, size) => sum + size, 0) <= MAX_READINGS) break;
      kept.delete(oldest);
      sizes.delete(oldest);
    }
    return batch;
  }

  return {
    async proofOf(batch, device, seq) {
      const { readings, leaves, tree } = await of(batch);
      const index = readings.findIndex((one) => one.device === device && one.seq === seq);
      const [reading, leaf] = [readings[index], leaves[index]];
      return reading && leaf ? { reading, leaf: toHex(leaf), proof: tree.proofOf(index).map(toHex) } : null;
    },
  };
}
