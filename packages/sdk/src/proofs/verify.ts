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
 * What is asked of a proof, in the order of the way from the reading to the chain. Each step rests on what the proof says of
 * the others and is checked by itself, so that the step that fails is the one that is wrong.
 */
export const proofSteps = ["form", "key", "signature", "leaf", "path", "batch", "anchored", "time"] as const;
/** `co_signature` comes after the signature, with a reading that carries one. */
export type ProofStep = Step<(typeof proofSteps)[number] | "co_signature">;

/**
 * All steps, in order, whatever becomes of those before; `chain` null: what only the chain can say is unknown.
 * @param asked the reading whose proof was asked for: that of another, however genuine, is not it
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
    // Both throw at what does not fit into the contract's words.
    batchDigest(figures);
    nameHex(proof.batch.short_id);
    return { proof, encoding: encodeReading(readingOf(proof.reading)), figures };
  } catch {
    return "range";
  }
}

/** The key that the proof gives is the one the device had: by its own times, and by the chain. */
function keyStep(key: DeviceKey, second: number, told: ChainAnswer<KeyOnChain>): Step<"key"> {
  const step = "key";
  const { valid_from, valid_until } = key;
  if (second < valid_from || (valid_until !== null && second > valid_until)) {
    return { step, state: "fail", reason: "no_key" };
  }
  if ("silent" in told) return { step, state: "unknown", reason: told.silent };
  const { kind, x, y, validFrom } = told.answer;
  if (kind === null) return { step, state: "fail", reason: "no_key" };
  // Its end may have become known after the proof was made; that it holds in this second the chain has just said.
  const same = kind === key.kind && x === key.x && y === key.y && validFrom === BigInt(valid_from);
  return judged(step, same, "other_key");
}

/** @param holds what `isSignature` says */
function signatureStep<Name extends "signature" | "co_signature">(step: Name, holds: boolean | null): Step<Name> {
  return holds === null ? { step, state: "unknown", reason: "no_webcrypto" } : judged(step, holds, step);
}

/** Of a reading that was signed twice: the key that the chain says its co-signer had has signed the same. */
async function coSignatureSteps(
  { device, co_signature: co }: SignedReading,
  encoding: Uint8Array,
  keyOf: (name: string) => Promise<ChainAnswer<KeyOnChain>>,
): Promise<Step<"co_signature">[]> {
  const step = "co_signature";
  if (co === undefined) return [];
  // One party's word, twice.
  if (co.by === device) return [{ step, state: "fail", reason: "own_co_signer" }];
  const told = await keyOf(co.by);
  if ("silent" in told) return [{ step, state: "unknown", reason: told.silent }];
  if (told.answer.kind === null) return [{ step, state: "fail", reason: "no_co_key" }];
  return [signatureStep(step, await isSignature(told.answer, encoding, fromHex(co.signature)))];
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

/** Measured before the batch was closed, and the batch closed before it was anchored. */
function timeStep({ batch }: ReadingProof, second: number): Step<"time"> {
  if (second > batch.to + clockLead) return { step: "time", state: "fail", reason: "reading_after_batch" };
  return judged("time", batch.from <= batch.to && batch.to * 1_000 <= batch.block_time, "anchored_before_end");
}
