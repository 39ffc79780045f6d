import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { BatchHeader, SignedReading } from "@aqua/sdk/api/telemetry";
import { batchDigest, dataHashOf, nextHead, writeBatchFile } from "@aqua/sdk/proofs/batch";
import { encodeReading, leafOf, noReading, readingHash, toHex } from "@aqua/sdk/proofs/reading";
import { clockLead } from "@aqua/sdk/proofs/steps";
import { buildTree } from "@aqua/sdk/proofs/tree";
import type { Hex } from "viem";
import type { OwnBatch } from "./standing.ts";
import type { BatchRow, PartRow, ReadingRow, Stream, WaitingDevice } from "./store.ts";

const zip = promisify(gzip);

/** Consecutive readings of a device, in the form that a batch includes. */
export interface Run {
  device: Pick<WaitingDevice, "id" | "name" | "metric" | "exponent" | "coSigner">;
  readings: readonly ReadingRow[];
}

/** A stored reading differs from the signed one. No batch may include it. */
export class AlteredReading extends Error {
  override name = "AlteredReading";
}

/**
 * Returns the number of readings that each device contributes to the next batch. If all fit, each device contributes
 * all. Otherwise the devices that do not fit contribute equal numbers, so that the backlog of one device does not
 * exclude the readings of another.
 */
export function allot(counts: readonly number[], most: number): number[] {
  const shares = counts.map(() => 0);
  let room = most;
  const order = counts.map((_, index) => index).sort((a, b) => (counts[a] as number) - (counts[b] as number));
  order.forEach((index, done) => {
    const share = Math.min(counts[index] as number, Math.ceil(room / (order.length - done)));
    shares[index] = share;
    room -= share;
  });
  return shares;
}

/**
 * Selects the readings of these runs that go into a batch, and the time span of the batch in Unix seconds. The span
 * starts at the end of the last batch. It ends at the time of the chain's newest block, because no later block is
 * older, or at the local time if that is earlier. Readings later than that, beyond the allowed lead of a device's
 * clock, wait for the next batch. Returns null while no reading fits.
 */
export function fitting(
  last: Pick<OwnBatch, "to"> | null,
  runs: readonly Run[],
  { blockTime, now }: { blockTime: number; now: number },
): { runs: Run[]; time: { from: number; to: number } } | null {
  const to = Math.min(blockTime, Math.floor(now / 1_000));
  const end = (to + clockLead + 1) * 1_000;
  const fit = runs.flatMap(({ device, readings }) => {
    const first = readings.findIndex(({ time }) => time >= end);
    const early = first === -1 ? readings : readings.slice(0, first);
    return early.length === 0 ? [] : [{ device, readings: early }];
  });
  if (fit.length === 0) return null;
  const earliest = Math.min(...fit.map(({ readings }) => Math.floor((readings[0] as ReadingRow).time / 1_000)));
  const from = last === null ? Math.max(1, Math.min(earliest, to)) : last.to + 1;
  return from > to ? null : { runs: fit, time: { from, to } };
}

/** @throws AlteredReading */
export async function compose({
  stream: { chainId, shortId, stream },
  contract,
  last,
  runs,
  span: { from, to },
  now,
  log,
}: {
  stream: Stream;
  contract: Hex;
  last: Pick<OwnBatch, "number" | "head"> | null;
  runs: readonly Run[];
  span: { from: number; to: number };
  now: number;
  /** The checkpoint of the public log that the batch carries to the chain. */
  log?: BatchHeader["log"];
}): Promise<{ batch: BatchRow; parts: PartRow[] }> {
  const number = (last?.number ?? 0) + 1;
  const previousHead = last?.head ?? noReading;
  const readings: SignedReading[] = [];
  const leaves: Uint8Array[] = [];
  const parts: PartRow[] = [];
  for (const { device, readings: rows } of runs) {
    for (const row of rows) {
      const signed = signedReading(device, row);
      const hash = readingHash(encodeReading({ ...signed, value: row.value, prev: toHex(row.prev) }));
      if (toHex(hash) !== toHex(row.hash) || (row.coSignature === null) !== (device.coSigner === null)) {
        throw new AlteredReading(`reading ${row.seq} of ${device.name} is not the one that was accepted`);
      }
      readings.push(signed);
      leaves.push(leafOf(hash));
    }
    const firstSeq = (rows[0] as ReadingRow).seq;
    const lastSeq = (rows.at(-1) as ReadingRow).seq;
    parts.push({ chainId, stream, number, device: device.id, firstSeq, lastSeq });
  }
  const count = readings.length;
  const root = toHex(buildTree(leaves).root);
  const header: BatchHeader = {
    format: "aqua-batch-1",
    chain_id: chainId,
    contract,
    short_id: shortId,
    number,
    previous_head: previousHead,
    root,
    from,
    to,
    count,
    ...(log && { log }),
  };
  const file = writeBatchFile(header, readings);
  const dataHash = dataHashOf(file);
  const head = nextHead(previousHead, batchDigest({ stream, number, root, from, to, count, dataHash }));
  const figures = { chainId, stream, number, shortId, previousHead, root, from, to, count, dataHash, head };
  return { batch: { ...figures, file: await zip(file), createTime: now, hash: null }, parts };
}

function signedReading({ name, metric, exponent, coSigner: by }: Run["device"], row: ReadingRow): SignedReading {
  const { coSignature: co } = row;
  return {
    device: name,
    seq: row.seq,
    time: row.time,
    metric,
    value: row.value.toString(),
    exponent,
    prev: toHex(row.prev),
    signature: toHex(row.signature),
    ...(by !== null && co !== null && { co_signature: { by, signature: toHex(co) } }),
  };
}
