import type { ReadingProof } from "@aqua/sdk/api/telemetry";
import { verdictOf } from "@aqua/sdk/proofs/steps";
import { type ProofStep, verifyProof } from "@aqua/sdk/proofs/verify";
import { type ChainSource, openChain } from "../../wallet/chain-reader.ts";
import { api } from "../api.ts";

export interface Verified {
  steps: ProofStep[];
  verdict: ProofStep["state"];
  /** Null when nobody was asked: what was given is no proof. */
  source: ChainSource | null;
  /** Whether the contract asked is the one this site knows; else the proof's own word was taken for it. */
  known: boolean;
}

/** Names the chain and the contract before its content is looked at; anything else is no proof. */
function placeOf(proof: unknown): { chainId: number; shortId: string } | null {
  const { batch } = (proof ?? {}) as Partial<ReadingProof>;
  if (!Number.isSafeInteger(batch?.chain_id) || typeof batch?.short_id !== "string") return null;
  return { chainId: batch.chain_id, shortId: batch.short_id };
}

/** The contract that anchors a product's readings, as this site knows it. */
export async function anchorOf(shortId: string) {
  const product = await api.product(shortId).catch(() => null);
  const contract = product?.contracts.find(({ role }) => role === "telemetry_anchor")?.address;
  return product && contract ? { chainId: product.chain_id, contract } : null;
}

/** Every step of a proof, worked out here; only the chain is asked, by the visitor's own wallet where there is one. */
export async function verify(proof: unknown, asked?: { device: string; seq: number }): Promise<Verified> {
  const place = placeOf(proof);
  if (!place) {
    const steps = await verifyProof(proof, null, asked);
    return { steps, verdict: verdictOf(steps), source: null, known: true };
  }
  const [chain, trusted] = await Promise.all([openChain(place.chainId), anchorOf(place.shortId)]);
  const steps = await verifyProof(proof, { ...trusted, call: chain.call }, asked);
  return { steps, verdict: verdictOf(steps), source: chain.source(), known: trusted !== null };
}
