import { concatBytes } from "@noble/hashes/utils";
import type { DeviceKey } from "../api/telemetry.ts";
import type { BatchFigures } from "./batch.ts";
import { fromHex, type HexText, nameWord, noReading, numberWord, toHex } from "./reading.ts";

/** Reads the chain through a wallet (`eth_call` of EIP-1193) or a node. */
export interface ChainReader {
  /** The chain and contract that the caller trusts. If omitted, those named in the proof are used. */
  chainId?: number;
  contract?: string;
  /** `eth_call` at the latest block. Returns hex. Throws if the chain cannot be reached. */
  call(to: HexText, data: HexText): Promise<string>;
}

/** The chain's answer, or the reason why there is none. */
export type ChainAnswer<Answer> = { answer: Answer } | { silent: "no_chain" | "chain_away" | "no_contract" };

/** A device's key in the contract. `kind` is null if the device had no key at that time. */
export interface KeyOnChain {
  kind: DeviceKey["kind"] | null;
  x: HexText;
  y: HexText;
  validFrom: bigint;
  validUntil: bigint;
}

/**
 * The figures with which a batch was anchored, and the digests of the batches after it up to a head that the contract
 * stores.
 */
export interface AnchoredFigures extends BatchFigures {
  previousHead: string;
  later: readonly string[];
}

/**
 * Selectors of the contract's calls. They are encoded by hand because an ABI library alone exceeds the verifier's size
 * limit.
 */
export const selectors = {
  keyAt: "0x3a9e358a",
  isAnchored: "0x55073f2d",
  streamOf: "0x9bc926b8",
  headAt: "0x7b751af0",
} as const;

const kinds = [null, "p256", "secp256k1"] as const;

/** The key that `device` signs with in that second. */
export async function keyAt({
  chain,
  contract,
  device,
  second,
}: {
  chain: ChainReader | null;
  contract: string;
  device: string;
  second: number;
}): Promise<ChainAnswer<KeyOnChain>> {
  const result = await ask({
    chain,
    contract,
    data: concatBytes(fromHex(selectors.keyAt), nameWord(device), numberWord(second)),
    length: 5,
  });
  if ("silent" in result) return result;
  const [kind, x, y, validFrom, validUntil] = result.answer as [HexText, HexText, HexText, HexText, HexText];
  return {
    answer: { kind: kinds[Number(kind)] ?? null, x, y, validFrom: BigInt(validFrom), validUntil: BigInt(validUntil) },
  };
}

/**
 * True if the batch was anchored in its stream with exactly these figures. "stale" means that the digests lead to a
 * former head that the contract no longer stores. Only the digests of the batches since then can prove the batch.
 */
export async function isAnchored(
  chain: ChainReader | null,
  contract: string,
  figures: AnchoredFigures,
): Promise<ChainAnswer<boolean | "stale">> {
  const { stream, number, previousHead, root, from, to, count, dataHash, later } = figures;
  const batch = [
    ...[numberWord(number), fromHex(previousHead), fromHex(root), numberWord(from), numberWord(to)],
    // Offset of the list within the batch.
    ...[numberWord(count), fromHex(dataHash), numberWord(256)],
    ...[numberWord(later.length), ...later.map(fromHex)],
  ];
  const question = (name: keyof typeof selectors, ...words: Uint8Array[]) =>
    concatBytes(fromHex(selectors[name]), fromHex(stream), ...words);
  const result = await ask({ chain, contract, data: question("isAnchored", numberWord(64), ...batch), length: 1 });
  if ("silent" in result) return result;
  if (BigInt(result.answer[0] as HexText) === 1n) return { answer: true };
  const last = number + later.length;
  const [storedHead, state] = await Promise.all([
    ask({ chain, contract, data: question("headAt", numberWord(last)), length: 1 }),
    ask({ chain, contract, data: question("streamOf"), length: 4 }),
  ]);
  if ("silent" in storedHead) return storedHead;
  if ("silent" in state) return state;
  const isPruned = BigInt(last) < BigInt(state.answer[1] as HexText) && storedHead.answer[0] === noReading;
  return { answer: isPruned && "stale" };
}

/**
 * Calls the contract. `length` is the expected number of words. A missing contract returns empty data; another contract
 * returns something else.
 */
async function ask({
  chain,
  contract,
  data,
  length,
}: {
  chain: ChainReader | null;
  contract: string;
  data: Uint8Array;
  length: number;
}): Promise<ChainAnswer<HexText[]>> {
  if (chain === null) return { silent: "no_chain" };
  let answer: string;
  try {
    answer = await chain.call((chain.contract ?? contract) as HexText, toHex(data));
  } catch {
    return { silent: "chain_away" };
  }
  if (!new RegExp(`^0x([0-9a-f]{64}){${length}}$`, "i").test(answer)) return { silent: "no_contract" };
  const words = answer.toLowerCase().slice(2).match(/.{64}/g) ?? [];
  return { answer: words.map((word): HexText => `0x${word}`) };
}
