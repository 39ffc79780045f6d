import type { List } from "@aqua/sdk/api/envelope";
import type { AnchoredBatch, anchorsQuery, DeviceKey, LossList, ReadingProof } from "@aqua/sdk/api/telemetry";
import { batchDigest } from "@aqua/sdk/proofs/batch";
import { type HexText, noReading } from "@aqua/sdk/proofs/reading";
import { getAddress, type Hex, stringToHex } from "viem";
import type { z } from "zod";
import type { Database, Orm } from "../../db/database.ts";
import { ApiError } from "../../errors.ts";
import type { OpenFindings } from "../../findings/open.ts";
import { type IndexedChain, stampsOf } from "../../indexer/stamp.ts";
import { shortIdOf } from "../../indexer/telemetry.ts";
import { productsOf } from "../../product/store.ts";
import { keyAt, readKeys } from "../keys.ts";
import { readLosses } from "../losses.ts";
import * as read from "./read.ts";
import { createTrees, type Trees } from "./trees.ts";

export interface AnchorService {
  anchors(query: z.output<typeof anchorsQuery>): Promise<List<AnchoredBatch>>;
  /** Returns the file of an anchored batch, compressed with gzip. */
  file(shortId: string, number: number): Promise<{ gzip: Uint8Array; dataHash: Hex }>;
  proof(device: string, seq: number): Promise<ReadingProof>;
  losses(): Promise<LossList>;
}

/** Creates the service that lists anchored batches and returns the data to check a reading against the chain. */
export function createAnchorService(parts: {
  db: Database;
  chains: readonly IndexedChain[];
  findings: OpenFindings;
  trees?: Trees;
}): AnchorService {
  const { db, findings, trees = createTrees() } = parts;
  const chains = parts.chains.filter(({ deployment }) => deployment?.telemetry_anchor !== undefined);
  const contracts = new Map(
    chains.map(({ chainId, deployment }) => [chainId, getAddress(deployment?.telemetry_anchor as Hex)]),
  );
  const snapshot = <T>(work: (tx: Orm) => Promise<T>) => db.transaction(work, "repeatable read");

  /**
   * Returns the streams of all products, or of one. If several chains use a short id, the chain configured first
   * wins.
   */
  async function streamsOf(tx: Orm, shortId?: string): Promise<{ chainId: number; stream: Hex }[]> {
    const chainIds = (await stampsOf(tx, chains)).map(({ chain }) => chain.chainId);
    const products = await productsOf(tx, chainIds);
    const streams = products.map((one) => ({ chainId: one.chainId, stream: stringToHex(one.shortId, { size: 32 }) }));
    if (shortId === undefined) return streams;
    const stream = stringToHex(shortId, { size: 32 });
    const [one] = chainIds.flatMap((id) => streams.filter((known) => known.chainId === id && known.stream === stream));
    if (!one) throw new ApiError("pool_not_found", "There is no product with this id");
    return [one];
  }

  function toAnchoredBatch({ anchor, previousHead, file }: read.TellableAnchor): AnchoredBatch {
    const { chainId, stream, number, root, from, to, count, dataHash, head, block, time, hash } = anchor;
    return {
      chain_id: chainId,
      contract: contracts.get(chainId) as Hex,
      short_id: shortIdOf(stream) as string,
      stream,
      number,
      previous_head: previousHead ?? noReading,
      root,
      from,
      to,
      count,
      data_hash: dataHash,
      head,
      block,
      block_time: time * 1_000,
      hash,
      file,
    };
  }

  return {
    anchors: ({ page, page_size, short_id }) =>
      snapshot(async (tx) => {
        (await findings.read()).demand("The list of batches", ["batches"], { product: short_id });
        const span = { limit: page_size, offset: (page - 1) * page_size };
        const { rows, total } = await read.anchorsOf(tx, await streamsOf(tx, short_id), span);
        return { items: rows.map(toAnchoredBatch), total, page, page_size };
      }),

    file: (shortId, number) =>
      snapshot(async (tx) => {
        const [stream] = await streamsOf(tx, shortId);
        const found = stream && (await read.anchoredFile(tx, { ...stream, number }));
        if (!found) throw new ApiError("not_found", "This batch is not on chain, or its file is not kept here");
        return { gzip: found.bytes, dataHash: found.anchor.dataHash };
      }),

    losses: () =>
      snapshot((tx) =>
        readLosses(
          tx,
          chains.map(({ chainId }) => chainId),
        ),
      ),

    async proof(name, seq) {
      const { row, key, later } = await snapshot((tx) => foundationOf(tx, name, seq));
      const path = await trees.proofOf({ head: row.anchor.head, file: row.bytes }, name, seq);
      // A part lists the range of a device's numbers. A number that the file omits is a reading that never existed.
      if (!path) throw unknownReading();
      const { file: _file, ...batch } = toAnchoredBatch(row);
      const at = Math.floor(path.reading.time / 1_000);
      const holding = key(at);
      if (!holding)
        throw new ApiError("not_found", "The chain knows no key of this device at the time of this reading");
      return {
        format: "aqua-reading-proof-1",
        reading: path.reading,
        key: holding,
        leaf: path.leaf,
        batch: { ...batch, later },
        proof: path.proof,
      };
    },
  };
}

/** Reads the stored data about a reading that is on chain. */
async function foundationOf(
  tx: Orm,
  name: string,
  seq: number,
): Promise<{
  row: read.TellableAnchor & { bytes: Uint8Array };
  key: (seconds: number) => DeviceKey | null;
  later: HexText[];
}> {
  const device = await read.deviceOf(tx, name);
  if (!device) throw new ApiError("not_found", "There is no device with this name");
  const batch = await read.batchOf(tx, device.id, seq);
  if (!batch) {
    if (!(await read.isKept(tx, device.id, seq))) throw unknownReading();
    throw new ApiError("not_found", "This reading waits for its batch; try again in a while");
  }
  const row = await read.anchoredFile(tx, batch);
  if (!row) throw new ApiError("not_found", "This reading's batch is on its way to the chain; try again in a while");
  const later = (await read.laterAnchors(tx, row.anchor)).map(batchDigest);
  const keys = (await readKeys(tx, [device])).get(name);
  return { row, later, key: (seconds) => (keys ? keyAt(keys, seconds) : null) };
}

function unknownReading(): ApiError {
  return new ApiError("not_found", "This device has no reading of this number");
}
