import { inSpans } from "@aqua/contracts/deploy/spans";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import type { BatchHeader } from "@aqua/sdk/api/telemetry";
import type { Finding } from "@aqua/sdk/audit/compare";
import type { Deployment } from "@aqua/sdk/deployment";
import { dataHashOf } from "@aqua/sdk/proofs/batch";
import { isBatchHeader } from "@aqua/sdk/proofs/form";
import { type Address, type Hex, hexToString, type PublicClient } from "viem";
import type { Site } from "../audit/site.ts";

/** A chain on which the site anchors batches of readings. */
export interface AnchorSource {
  client: PublicClient;
  deployment: Deployment;
}

/** A checkpoint of a log that a batch on chain names. */
export interface AnchoredCheckpoint {
  /** Path of the batch's file. */
  path: string;
  log: NonNullable<BatchHeader["log"]>;
  /** The time of the batch's last reading, Unix milliseconds. The checkpoint is older than the batch's anchoring. */
  time: number;
}

export interface AnchoredCheckpoints {
  checkpoints: AnchoredCheckpoint[];
  /** The number of batches that name no checkpoint. */
  without: number;
  /** Paths of files that the site does not have. */
  missing: string[];
}

/** Reads the checkpoints in the files of all batches that a chain has. A file with another hash is a finding. */
export async function readAnchored(
  site: Site,
  { client, deployment }: AnchorSource,
  report: (finding: Finding) => void,
): Promise<AnchoredCheckpoints> {
  const found: AnchoredCheckpoints = { checkpoints: [], without: 0, missing: [] };
  if (deployment.telemetry_anchor === undefined) return found;
  const address = deployment.telemetry_anchor as Address;
  const named = new Set<Hex>();
  for (const { stream, batch, dataHash } of await anchoredBatches(client, address, deployment.start_block)) {
    const path = `transparency/anchors/${encodeURIComponent(hexToString(stream, { size: 32 }))}/${batch}`;
    const { status, content } = await site.file(path);
    const header = status === 200 ? headerOf(content) : null;
    // A product of the same name on another chain of the site: its file is served at the same path.
    const isElsewhere = header !== null && header.chain_id !== deployment.chain_id;
    if (status !== 200 || isElsewhere) {
      found.missing.push(path);
      continue;
    }
    const hash = dataHashOf(content);
    if (hash !== dataHash || header === null) {
      report({ path, expected: `a batch file with the hash ${dataHash}`, found: hash });
      continue;
    }
    if (header.log) {
      found.checkpoints.push({ path, log: header.log, time: header.to * 1_000 });
      named.add(stream);
    } else {
      found.without += 1;
      if (named.has(stream))
        report({ path: `${path}.log`, expected: "a checkpoint, as in the batches before", found: null });
    }
  }
  return found;
}

/** All batches of a chain, those of each stream in their order. */
async function anchoredBatches(client: PublicClient, address: Address, startBlock: number) {
  const events = await inSpans(BigInt(startBlock), await client.getBlockNumber(), (fromBlock, toBlock) =>
    client.getContractEvents({
      address,
      abi: telemetryAnchorAbi,
      eventName: "Anchored",
      fromBlock,
      toBlock,
      strict: true,
    }),
  );
  return events.map(({ args }) => args);
}

function headerOf(file: Uint8Array): BatchHeader | null {
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(file.subarray(0, Math.max(file.indexOf(10), 0))));
    return isBatchHeader(header) ? header : null;
  } catch {
    return null;
  }
}
