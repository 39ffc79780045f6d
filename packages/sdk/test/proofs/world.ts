import { p256 } from "@noble/curves/nist";
import { secp256k1 } from "@noble/curves/secp256k1";
import { sha256 } from "@noble/hashes/sha2";
import { decodeFunctionData, encodeFunctionResult, encodePacked, keccak256, maxUint64 } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { telemetryAnchorAbi } from "../../src/abi/TelemetryAnchor.ts";
import type { BatchHeader, DeviceKey, ReadingProof, SignedReading } from "../../src/api/telemetry.ts";
import { batchDigest, dataHashOf, nextHead, writeBatchFile } from "../../src/proofs/batch.ts";
import type { ChainReader } from "../../src/proofs/chain.ts";
import {
  encodeReading,
  type HexText,
  leafOf,
  nameHex,
  noReading,
  type Reading,
  readingHash,
  readingOf,
  toHex,
  typedDigest,
} from "../../src/proofs/reading.ts";
import { buildTree } from "../../src/proofs/tree.ts";

/**
 * Devices, readings and batches with real signatures, and the contract's two responses computed without the verifier's
 * code.
 */
export const contract = "0x00000000000000000000000000000000000000aA";
export const start = 1_760_000_000;
const header = { format: "aqua-batch-1", chain_id: 31_337, contract, short_id: "sahel-solar" } as const;
const stream = nameHex(header.short_id);

interface Maker {
  name: string;
  key: DeviceKey;
  sign(encoding: Uint8Array): Uint8Array;
}

const secretOf = (name: string) => sha256(new TextEncoder().encode(name));

export function hardware(name: string): Maker {
  const secret = secretOf(name);
  const point = p256.getPublicKey(secret, false);
  const key: DeviceKey = {
    kind: "p256",
    x: toHex(point.slice(1, 33)),
    y: toHex(point.slice(33)),
    valid_from: start - 86_400,
    valid_until: null,
  };
  return { name, key, sign: (encoding) => p256.sign(sha256(encoding), secret, { lowS: true }).toCompactRawBytes() };
}

export function simulator(name: string): Maker {
  const secret = secretOf(name);
  const x = `0x${"0".repeat(24)}${privateKeyToAddress(toHex(secret)).slice(2).toLowerCase()}`;
  const key: DeviceKey = { kind: "secp256k1", x, y: noReading, valid_from: start - 86_400, valid_until: null };
  return {
    name,
    key,
    sign(encoding) {
      const signature = secp256k1.sign(typedDigest(readingHash(encoding)), secret);
      return Uint8Array.of(...signature.toCompactRawBytes(), 27 + signature.recovery);
    },
  };
}

const fieldsOf = (maker: Maker, seq: number, prev: HexText): Reading => ({
  device: maker.name,
  seq,
  time: (start + seq * 60) * 1_000 + 250,
  metric: "energy_wh",
  value: BigInt(1_000 * seq),
  exponent: -3,
  prev,
});

export function signReading(maker: Maker, reading: Reading): SignedReading {
  return { ...reading, value: String(reading.value), signature: toHex(maker.sign(encodeReading(reading))) };
}

/** The same reading with a co-signature. */
export function coSigned(coSigner: Maker, reading: SignedReading): SignedReading {
  const signature = toHex(coSigner.sign(encodeReading(readingOf(reading))));
  return { ...reading, co_signature: { by: coSigner.name, signature } };
}

export const hashOf = (reading: SignedReading) => readingHash(encodeReading(readingOf(reading)));

/** Readings `first` to `last` of each device, each naming the previous one. */
export function readingsOf(makers: readonly Maker[], first: number, last: number): SignedReading[] {
  return makers.flatMap((maker) => {
    const all: SignedReading[] = [];
    let prev = noReading;
    for (let seq = 1; seq <= last; seq++) {
      const reading = signReading(maker, fieldsOf(maker, seq, prev));
      prev = toHex(hashOf(reading));
      if (seq >= first) all.push(reading);
    }
    return all;
  });
}

export interface Batch {
  file: Uint8Array;
  header: BatchHeader;
  readings: SignedReading[];
  figures: Parameters<typeof batchDigest>[0];
  head: HexText;
}

export function batchOf(
  readings: SignedReading[],
  before: Batch | null,
  from: number,
  to: number,
  place: Pick<BatchHeader, "chain_id" | "contract"> = header,
): Batch {
  const root = toHex(buildTree(readings.map((reading) => leafOf(hashOf(reading)))).root);
  const number = (before?.header.number ?? 0) + 1;
  const previous_head = before?.head ?? noReading;
  const own = { ...header, ...place, number, previous_head, root, from, to, count: readings.length };
  const file = writeBatchFile(own, readings);
  const figures = { stream, number, root, from, to, count: readings.length, dataHash: dataHashOf(file) };
  return { file, header: own, readings, figures, head: nextHead(previous_head, batchDigest(figures)) };
}

export function proofOf(batch: Batch, index: number, key: DeviceKey, later: readonly Batch[] = []): ReadingProof {
  const leaves = batch.readings.map((reading) => leafOf(hashOf(reading)));
  const { format: _, ...rest } = batch.header;
  return {
    format: "aqua-reading-proof-1",
    reading: batch.readings[index] as SignedReading,
    key,
    leaf: toHex(leaves[index] as Uint8Array),
    batch: {
      ...rest,
      stream,
      data_hash: batch.figures.dataHash,
      head: batch.head,
      block: 7,
      block_time: batch.header.to * 1_000,
      hash: `0x${"77".repeat(32)}`,
      later: later.map(({ figures }) => batchDigest(figures)),
    },
    proof: buildTree(leaves).proofOf(index).map(toHex),
  };
}

interface OnChain {
  /** By device, in order of time; a null key is a revocation from then on. */
  keys: Record<string, { from: number; key: DeviceKey | null }[]>;
  /**
   * The stream's head is that of the last batch; of the earlier heads the contract stores those whose numbers are in
   * `kept`.
   */
  batches: readonly Batch[];
  kept?: readonly number[];
}

/** Answers like the contract, decoding calls and computing hashes with viem. */
export function chainOf({ keys, batches, kept = [] }: OnChain): ChainReader {
  const headAt = (of: HexText, number: number) =>
    of === stream && (number === batches.length || kept.includes(number))
      ? (batches[number - 1]?.head ?? noReading)
      : noReading;
  const answers = {
    keyAt([device, time]: readonly [HexText, bigint]) {
      const held = Object.entries(keys).find(([name]) => nameHex(name) === device)?.[1] ?? [];
      const place = held.findLastIndex(({ from }) => BigInt(from) <= time);
      const { key = null, from = 0 } = held[place] ?? {};
      if (key === null) return [0, noReading, noReading, 0n, 0n];
      const next = held[place + 1];
      const until = next === undefined ? maxUint64 : BigInt(next.from - 1);
      return [key.kind === "p256" ? 1 : 2, key.x, key.y, BigInt(from), until];
    },
    isAnchored([of, batch]: readonly [HexText, Record<string, unknown>]) {
      const { number, previousHead, root, from, to, count, dataHash, later } = batch as unknown as {
        [name in "previousHead" | "root" | "dataHash"]: HexText;
      } & { [name in "number" | "from" | "to"]: bigint } & { count: number; later: HexText[] };
      const figures = { stream: of, root, count, dataHash, number: Number(number), from: Number(from), to: Number(to) };
      const head = [batchDigest(figures), ...later].reduce(
        (before, digest) => keccak256(encodePacked(["bytes32", "bytes32"], [before, digest])),
        previousHead,
      );
      return head === headAt(of, Number(number) + later.length);
    },
    streamOf: ([of]: readonly [HexText]) =>
      of === stream ? [batches.at(-1)?.head ?? noReading, BigInt(batches.length), 0n, 0n] : [noReading, 0n, 0n, 0n],
    headAt: ([of, number]: readonly [HexText, bigint]) => headAt(of, Number(number)),
  };
  return {
    async call(to, data) {
      if (to.toLowerCase() !== contract.toLowerCase()) return "0x";
      const { functionName, args } = decodeFunctionData({ abi: telemetryAnchorAbi, data });
      const answer = answers[functionName as keyof typeof answers](args as never);
      return encodeFunctionResult({ abi: telemetryAnchorAbi, functionName, result: answer } as never);
    },
  };
}

/** Two batches of three devices, the second a day after the first. */
export function world() {
  const makers = [hardware("dam-level"), hardware("pump-1"), simulator("pump-2")] as const;
  const one = batchOf(readingsOf(makers, 1, 5), null, start, start + 400);
  const two = batchOf(readingsOf(makers, 6, 9), one, start + 401, start + 900);
  const keys = Object.fromEntries(makers.map(({ name, key }) => [name, [{ from: key.valid_from, key }]]));
  return { makers, one, two, keys, batches: [one, two] };
}
