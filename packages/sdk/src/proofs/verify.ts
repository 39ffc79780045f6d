import type { DeviceKey, ReadingProof, SignedReading } from "../api/telemetry.ts";
import { batchDigest, nextHead } from "./batch.ts";
import {
  type AnchoredFigures,
  type ChainAnswer,
  type ChainReader,
  isAnchored,
  type KeyOnChain,
  keyAt,
} from "./chain.ts";
import { isReadingProof } from "./form.ts";
import { encodeReading, fromHex, leafOf, nameHex, readingHash, readingOf, toHex } from "./reading.ts";
import { isSignature } from "./signatures.ts";
import { anchoredStep, clockLead, judged, malformedSteps, type Step } from "./steps.ts";
import { rootFrom } from "./tree.ts";

/**
 * The checks of a proof, in order from the reading to the chain. Each step uses the proof's own values as its inputs
 * and is checked by itself, so that exactly the wrong step fails.
 */
export const proofSteps = ["form", "key", "signature", "leaf", "path", "batch", "anchored", "time"] as const;
/** `co_signature` follows the signature if the reading has one. */
export type ProofStep = Step<(typeof proofSteps)[number] | "co_signature">;

/**
 * Runs all steps in order, even if earlier ones failed. If `chain` is null, the steps that need the chain are unknown.
 * @param asked the requested reading; a proof of another one fails, even if it is genuine
 */
export async function verifyProof(
  proof: unknown,
  chain: ChainReader | null,
  asked?: { device: string; seq: number },
): Promise<ProofStep[]> {
  const parts = partsOf(proof);
  if (typeof parts === "string") return malformedSteps(proofSteps, { reason: parts });
  const { device, seq } = parts.proof.reading;
  if (asked && (asked.device !== device || asked.seq !== seq))
    return malformedSteps(proofSteps, { reason: "other_reading" });
  const { reading, key, batch } = parts.proof;
  const { encoding, figures } = parts;
  const leaf = toHex(leafOf(readingHash(encoding)));
  const second = Math.floor(reading.time / 1_000);
  const [holding, signed, coSigned, anchored] = await Promise.all([
    keyAt({ chain, contract: batch.contract, device: reading.device, second }),
    isSignature(key, encoding, fromHex(reading.signature)),
    coSignatureSteps(reading, encoding, (name) => keyAt({ chain, contract: batch.contract, device: name, second })),
    isAnchored(chain, batch.contract, figures),
  ]);
  return [
    { step: "form", state: "pass" },
    keyStep(key, second, holding),
    signatureStep("signature", signed),
    ...coSigned,
    { ...judged("leaf", parts.proof.leaf === leaf, "leaf"), found: leaf },
    pathStep(parts.proof),
    batchStep(parts.proof, figures),
    anchoredStep(batch, chain, anchored),
    timeStep(parts.proof, second),
  ];
}

interface Parts {
  proof: ReadingProof;
  encoding: Uint8Array;
  figures: AnchoredFigures;
}

function partsOf(proof: unknown): Parts | "shape" | "range" {
  if (!isReadingProof(proof)) return "shape";
  const { stream, number, previous_head, root, from, to, count, data_hash, later } = proof.batch;
  const figures = { stream, number, previousHead: previous_head, root, from, to, count, dataHash: data_hash, later };
  try {
    // Both throw if a value does not fit into the contract's words.
    batchDigest(figures);
    nameHex(proof.batch.short_id);
    return { proof, encoding: encodeReading(readingOf(proof.reading)), figures };
  } catch {
    return "range";
  }
}

/** Judges whether the key in the proof is the one that the device had, by the key's own times and by the chain. */
function keyStep(key: DeviceKey, second: number, result: ChainAnswer<KeyOnChain>): Step<"key"> {
  const step = "key";
  const { valid_from, valid_until } = key;
  if (second < valid_from || (valid_until !== null && second > valid_until)) {
    return { step, state: "fail", reason: "no_key" };
  }
  if ("silent" in result) return { step, state: "unknown", reason: result.silent };
  const { kind, x, y, validFrom } = result.answer;
  if (kind === null) return { step, state: "fail", reason: "no_key" };
  // `valid_until` is not compared, because the end may have been set after the proof was made. The chain has just
  // confirmed that the key is valid in this second.
  const same = kind === key.kind && x === key.x && y === key.y && validFrom === BigInt(valid_from);
  return judged(step, same, "other_key");
}

/**
 * Judges a signature.
 * @param holds the result of `isSignature`
 */
function signatureStep<Name extends "signature" | "co_signature">(step: Name, holds: boolean | null): Step<Name> {
  return holds === null ? { step, state: "unknown", reason: "no_webcrypto" } : judged(step, holds, step);
}

/** For a reading with two signatures, judges whether the co-signer's key on chain signed the same encoding. */
async function coSignatureSteps(
  { device, co_signature: co }: SignedReading,
  encoding: Uint8Array,
  keyOf: (name: string) => Promise<ChainAnswer<KeyOnChain>>,
): Promise<Step<"co_signature">[]> {
  const step = "co_signature";
  if (co === undefined) return [];
  // The device cannot be its own co-signer, because both signatures would come from one party.
  if (co.by === device) return [{ step, state: "fail", reason: "own_co_signer" }];
  const result = await keyOf(co.by);
  if ("silent" in result) return [{ step, state: "unknown", reason: result.silent }];
  if (result.answer.kind === null) return [{ step, state: "fail", reason: "no_co_key" }];
  return [signatureStep(step, await isSignature(result.answer, encoding, fromHex(co.signature)))];
}

function pathStep({ leaf, proof, batch }: ReadingProof): Step<"path"> {
  const root = toHex(rootFrom(fromHex(leaf), proof.map(fromHex)));
  return { ...judged("path", root === batch.root, "path"), found: root };
}

function batchStep({ batch }: ReadingProof, figures: AnchoredFigures): Step<"batch"> {
  const head = nextHead(figures.previousHead, batchDigest(figures));
  const own = batch.stream === nameHex(batch.short_id);
  return { ...judged("batch", own && head === batch.head, own ? "head" : "stream"), found: head };
}

/**
 * The reading must be measured before the batch was closed, and the batch must be closed before it was anchored.
 * `block_time` is only a statement of the proof, as no digest contains it. It is therefore only compared with the
 * batch's end. The contract itself rejects a batch that ends in the future, so the order is certain if `anchored`
 * passes.
 */
function timeStep({ batch }: ReadingProof, second: number): Step<"time"> {
  if (second > batch.to + clockLead) return { step: "time", state: "fail", reason: "reading_after_batch" };
  return judged("time", batch.from <= batch.to && batch.to * 1_000 <= batch.block_time, "anchored_before_end");
}
