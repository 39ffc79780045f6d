import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BatchHeader, SignedReading } from "@aqua/sdk/api/telemetry";
import { batchDigest, dataHashOf, nextHead, writeBatchFile } from "@aqua/sdk/proofs/batch";
import { type HexText, leafOf, nameHex, noReading, toHex } from "@aqua/sdk/proofs/reading";
import { buildTree } from "@aqua/sdk/proofs/tree";
import { LOCAL_CHAIN_ID } from "../rpc.ts";
import { devicesOf, type FleetDevice } from "./devices.ts";
import type { FleetHistory } from "./history.ts";
import { signReading } from "./keys.ts";

/** Readings of a product from `from` to `to` (Unix seconds), both included; numbers count from 1. */
export interface PlannedBatch {
  shortId: string;
  number: number;
  from: number;
  to: number;
}

/** A batch as it is anchored and published. */
export interface SealedBatch {
  header: BatchHeader;
  dataHash: HexText;
  /** The stream's head after it. */
  head: HexText;
  file: Uint8Array;
}

/** State of a device's chain of readings: number and hash of the last one. */
export interface DeviceHead {
  seq: number;
  hash: HexText;
}

/** The batches of each product, in their order. */
export type SealedBatches = ReadonlyMap<string, readonly SealedBatch[]>;

/**
 * Signs the fleet's measurements and seals them into the planned batches, with their files and roots. Signatures are
 * random, so the heads differ each time.
 * @param contract address of TelemetryAnchor
 */
export async function sealBatches(
  { batches: planned, history }: { batches: readonly PlannedBatch[]; history: FleetHistory },
  contract: string,
): Promise<{ batches: SealedBatches; heads: ReadonlyMap<string, DeviceHead> }> {
  const batches = new Map<string, SealedBatch[]>();
  const next = new Map<string, number>();
  const heads = new Map<string, DeviceHead>();
  for (const { shortId, number, from, to } of planned) {
    const readings: SignedReading[] = [];
    const leaves: Uint8Array[] = [];
    for (const device of devicesOf(shortId)) {
      const all = history.readingsOf(device);
      let index = next.get(device.name) ?? 0;
      for (let one = all[index]; one !== undefined && Math.floor(one.time / 1_000) <= to; one = all[index]) {
        const before = heads.get(device.name) ?? noHead;
        const key = history.keyAt(device, Math.floor(one.time / 1_000)) ?? 0;
        const { signed, hash } = await signReading(
          device,
          key,
          readingOf({ device, head: before, time: one.time, value: one.value }),
        );
        readings.push(signed);
        leaves.push(leafOf(hash));
        heads.set(device.name, { seq: signed.seq, hash: toHex(hash) });
        index += 1;
      }
      next.set(device.name, index);
    }
    const before = batches.get(shortId) ?? [];
    const previous = before.at(-1)?.head ?? noReading;
    const header: BatchHeader = {
      format: "aqua-batch-1",
      chain_id: LOCAL_CHAIN_ID,
      contract,
      short_id: shortId,
      number,
      previous_head: previous,
      root: toHex(buildTree(leaves).root),
      from,
      to,
      count: readings.length,
    };
    const file = writeBatchFile(header, readings);
    const dataHash = dataHashOf(file);
    const digest = batchDigest({ ...header, stream: nameHex(shortId), dataHash });
    batches.set(shortId, [...before, { header, dataHash, head: nextHead(previous, digest), file }]);
  }
  return { batches, heads };
}

export const noHead: DeviceHead = { seq: 0, hash: noReading };

/** A device's reading after the one at `head`, before it is signed. */
export function readingOf({
  device,
  head: { seq, hash },
  time,
  value,
}: {
  device: FleetDevice;
  head: DeviceHead;
  time: number;
  value: bigint;
}) {
  const { name, metric, exponent } = device;
  return { device: name, seq: seq + 1, time, metric, value, exponent, prev: hash };
}

/** Returns the folder of a world's telemetry. */
export function telemetryFolder(dataDir: string): string {
  return join(dataDir, "telemetry");
}

/** Writes each batch as `<short id>/<number>.ndjson`. */
export async function writeBatches(dataDir: string, batches: SealedBatches): Promise<void> {
  for (const [shortId, sealed] of batches) {
    const folder = join(telemetryFolder(dataDir), shortId);
    await mkdir(folder, { recursive: true });
    await Promise.all(sealed.map(({ header, file }) => writeFile(join(folder, `${header.number}.ndjson`), file)));
  }
}
