import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import type { ReadingProof, SignedReading } from "@aqua/sdk/api/telemetry";
import { batchDigest, dataHashOf, nextHead, writeBatchFile } from "@aqua/sdk/proofs/batch";
import {
  encodeReading,
  leafOf,
  nameHex,
  noReading,
  readingHash,
  readingOf,
  toHex,
  typedDigest,
} from "@aqua/sdk/proofs/reading";
import { buildTree } from "@aqua/sdk/proofs/tree";
import { decodeFunctionData, encodeFunctionResult, type Hex, pad } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const signer = privateKeyToAccount(`0x${"42".repeat(32)}`);
const start = Date.UTC(2026, 0, 10, 12);
export const anchorContract = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const key = {
  kind: "secp256k1" as const,
  x: `0x${signer.address.slice(2).toLowerCase().padStart(64, "0")}`,
  y: noReading,
};

async function signed(seq: number, prev: string): Promise<SignedReading & { leaf: Uint8Array; hash: string }> {
  const reading = {
    device: "meter-1",
    seq,
    time: start + seq * 60_000,
    metric: "energy",
    value: String(12_345 + seq),
    exponent: -1,
    prev,
  };
  const hash = readingHash(encodeReading(readingOf({ ...reading, signature: "0x" })));
  const signature = await signer.sign({ hash: toHex(typedDigest(hash)) });
  return { ...reading, signature, leaf: leafOf(hash), hash: toHex(hash) };
}

/** A proof as the server returns it, for the second of three readings signed by one key. */
export async function aProof(): Promise<ReadingProof> {
  const readings: Awaited<ReturnType<typeof signed>>[] = [];
  for (const seq of [1, 2, 3]) readings.push(await signed(seq, readings.at(-1)?.hash ?? noReading));
  const tree = buildTree(readings.map(({ leaf }) => leaf));
  const [, proven] = readings;
  if (!proven) throw new Error("three readings");
  const { leaf, hash: _, ...reading } = proven;
  const figures = {
    stream: nameHex("solar"),
    number: 1,
    root: toHex(tree.root),
    from: start / 1000,
    to: start / 1000 + 600,
    count: 3,
    dataHash: `0x${"da".repeat(32)}`,
  };
  return {
    format: "aqua-reading-proof-1",
    reading,
    key: { ...key, valid_from: start / 1000 - 86_400, valid_until: null },
    leaf: toHex(leaf),
    batch: {
      chain_id: 31337,
      contract: anchorContract,
      short_id: "solar",
      stream: figures.stream,
      number: 1,
      previous_head: noReading,
      root: figures.root,
      from: figures.from,
      to: figures.to,
      count: 3,
      data_hash: figures.dataHash,
      head: nextHead(noReading, batchDigest(figures)),
      block: 900,
      block_time: start + 700_000,
      hash: `0x${"aa".repeat(32)}`,
      later: [],
    },
    proof: tree.proofOf(1).map(toHex),
  };
}

/** A batch file of one device, and the contract's responses when it is the only anchored batch. */
export async function aBatchFile(count = 3) {
  const readings: Awaited<ReturnType<typeof signed>>[] = [];
  while (readings.length < count) readings.push(await signed(readings.length + 1, readings.at(-1)?.hash ?? noReading));
  const root = toHex(buildTree(readings.map(({ leaf }) => leaf)).root);
  const [from, to] = [start / 1000, start / 1000 + count * 60];
  const place = { chain_id: 31337, contract: anchorContract, short_id: "solar", number: 1, previous_head: noReading };
  const file = writeBatchFile(
    { format: "aqua-batch-1", ...place, root, from, to, count },
    readings.map(({ leaf: _leaf, hash: _hash, ...reading }) => reading),
  );
  const figures = { stream: nameHex("solar"), number: 1, root, from, to, count, dataHash: dataHashOf(file) };
  const proof = await aProof();
  const head = nextHead(noReading, batchDigest(figures));
  const answers = anchorAnswers({ ...proof, batch: { ...proof.batch, head } });
  return { file, call: async (_to: string, data: string) => answers(data as Hex) };
}

const grid = privateKeyToAccount(`0x${"43".repeat(32)}`);

/** The same proof for a reading with the grid operator's co-signature. */
export async function coSigned(proof: ReadingProof): Promise<ReadingProof> {
  const hash = toHex(typedDigest(readingHash(encodeReading(readingOf(proof.reading)))));
  return {
    ...proof,
    reading: { ...proof.reading, co_signature: { by: "grid", signature: await grid.sign({ hash }) } },
  };
}

/**
 * The contract's results for eth_call with one registered key and `batches` anchored batches. `later`: the digests of
 * the batches after the first; former heads are not stored. `revoked`: the owner of the revoked key.
 */
export function anchorAnswers(
  { batch: anchored, key: held }: ReadingProof,
  { revoked = "nobody", batches = 1, later = Array<string>(batches - 1).fill(noReading) } = {},
) {
  const last = later.reduce(nextHead, anchored.head) as Hex;
  return (data: Hex): Hex => {
    const { functionName, args } = decodeFunctionData({ abi: telemetryAnchorAbi, data });
    if (functionName === "keyAt") {
      const second = args[0] === nameHex("grid");
      const x = second ? pad(grid.address.toLowerCase() as Hex) : (held.x as Hex);
      const result =
        args[0] === nameHex(revoked)
          ? ([0, noReading, noReading, 0n, 0n] as const)
          : ([2, x, held.y as Hex, BigInt(held.valid_from), 2n ** 64n - 1n] as const);
      return encodeFunctionResult({ abi: telemetryAnchorAbi, functionName, result });
    }
    if (functionName === "streamOf")
      return encodeFunctionResult({ abi: telemetryAnchorAbi, functionName, result: [last, BigInt(batches), 0n, 0n] });
    if (functionName === "headAt") {
      const result = args[1] === BigInt(batches) ? last : noReading;
      return encodeFunctionResult({ abi: telemetryAnchorAbi, functionName, result });
    }
    if (functionName !== "isAnchored") throw new Error(`Nobody asks for ${functionName}`);
    const [stream, { number, previousHead, root, from, to, count, dataHash, later: told }] = args;
    const digest = batchDigest({
      stream,
      number: Number(number),
      root,
      from: Number(from),
      to: Number(to),
      count,
      dataHash,
    });
    const result = [digest, ...told].reduce<string>(nextHead, previousHead) === last;
    return encodeFunctionResult({ abi: telemetryAnchorAbi, functionName, result });
  };
}
