import type { ReadingProof } from "@aqua/sdk/api/telemetry";
import { malformedSteps, type Reason, type Step, verdictOf } from "@aqua/sdk/proofs/steps";
import { type ProofStep, proofSteps, verifyProof } from "@aqua/sdk/proofs/verify";
import { figureOf } from "@aqua/sdk/telemetry/figure";
import { type ChainSource, callOf, openChain } from "../../wallet/chain-reader.ts";
import { compareAmounts } from "../decimal.ts";
import { anchorOf, ownWord } from "./published-anchor.ts";

/** The reading that is asked for, with everything that the page shows of it; `time` in Unix milliseconds. */
export interface Asked {
  device: string;
  seq: number;
  shortId: string;
  time: number;
  /** In the metric's unit. */
  value: string;
  /** The number of the batch that a report names: the reading is in that batch or an earlier one. */
  lastBatch?: number | undefined;
}

/** `own_contract`: it passes in a contract that only the proof itself names and that anyone could have deployed. */
export type CheckedStep = Omit<ProofStep, "reason"> & { reason?: Reason | "own_contract" };

export interface Verified {
  steps: CheckedStep[];
  verdict: Step<string>["state"];
  /** Null when the chain was not queried, since the input is no proof. */
  source: ChainSource | null;
  /** Whether the queried contract is known to this site; if not, it is the one that the proof names. */
  known: boolean;
}

/**
 * The chain and the product that a proof names, read before it is verified; null when it names none and so is no proof.
 */
function placeOf(proof: unknown): { chainId: number; shortId: string } | null {
  const { batch } = (proof ?? {}) as Partial<ReadingProof>;
  if (!Number.isSafeInteger(batch?.chain_id) || typeof batch?.short_id !== "string") return null;
  return { chainId: batch.chain_id, shortId: batch.short_id };
}

/** Whether a proof of the right form proves the reading as the page shows it, in the product it is shown for. */
function isAsked({ reading, batch }: ReadingProof, { shortId, time, value, lastBatch }: Asked): boolean {
  const measured = figureOf(BigInt(reading.value), reading.exponent);
  return (
    batch.short_id === shortId &&
    reading.time === time &&
    compareAmounts(measured, value) === 0 &&
    (lastBatch === undefined || batch.number <= lastBatch)
  );
}

/**
 * Every step of a proof, computed here; only the chain is queried, through the visitor's own wallet where there is one.
 */
export async function verify(proof: unknown, asked?: Asked): Promise<Verified> {
  const place = placeOf(proof);
  if (!place) {
    const steps = await verifyProof(proof, null, asked);
    return { steps, verdict: verdictOf(steps), source: null, known: true };
  }
  const [chain, trusted] = await Promise.all([openChain(place.chainId), anchorOf(place.shortId)]);
  const judged = await verifyProof(proof, { ...trusted, call: callOf(chain) }, asked);
  // A step that fails by itself says more than that the reading is another.
  const other = asked && verdictOf(judged) !== "fail" && !isAsked(proof as ReadingProof, asked);
  const own = trusted ? judged : judged.map(ownWord);
  const steps = other ? malformedSteps(proofSteps, { reason: "other_reading" }) : own;
  return { steps, verdict: verdictOf(steps), source: chain.source(), known: trusted !== null };
}
