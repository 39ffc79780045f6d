import type { ReadingProof } from "@aqua/sdk/api/telemetry";
import { malformedSteps, type Reason, type Step, verdictOf } from "@aqua/sdk/proofs/steps";
import { type ProofStep, proofSteps, verifyProof } from "@aqua/sdk/proofs/verify";
import { figureOf } from "@aqua/sdk/telemetry/figure";
import { type ChainSource, callOf, openChain } from "../../wallet/chain-reader.ts";
import { compareAmounts } from "../decimal.ts";
import { anchorOf, distrustContract } from "./published-anchor.ts";

/** The requested reading with everything that the page shows of it; `time` in Unix milliseconds. */
export interface ExpectedReading {
  device: string;
  seq: number;
  shortId: string;
  time: number;
  /** The measured value in the metric's unit. */
  value: string;
  /** The number of the batch that a report names. The reading is in that batch or an earlier one. */
  lastBatch?: number | undefined;
}

/**
 * `own_contract`: the step passes in a contract that only the proof itself names and that anyone could have deployed.
 */
export type CheckedStep = Omit<ProofStep, "reason"> & { reason?: Reason | "own_contract" };

export interface Verified {
  steps: CheckedStep[];
  verdict: Step<string>["state"];
  /** Null if the chain was not queried because the input is not a proof. */
  source: ChainSource | null;
  /** True if this site knows the queried contract. If false, the proof itself names the contract. */
  known: boolean;
}

/**
 * The chain and the product that a proof names, read before the proof is verified. Null if it names none and is
 * therefore not a proof.
 */
function placeOf(proof: unknown): { chainId: number; shortId: string } | null {
  const { batch } = (proof ?? {}) as Partial<ReadingProof>;
  if (!Number.isSafeInteger(batch?.chain_id) || typeof batch?.short_id !== "string") return null;
  return { chainId: batch.chain_id, shortId: batch.short_id };
}

/** Whether a proof of the right form proves the reading as the page shows it, in the product it is shown for. */
function isExpected({ reading, batch }: ReadingProof, { shortId, time, value, lastBatch }: ExpectedReading): boolean {
  const measured = figureOf(BigInt(reading.value), reading.exponent);
  return (
    batch.short_id === shortId &&
    reading.time === time &&
    compareAmounts(measured, value) === 0 &&
    (lastBatch === undefined || batch.number <= lastBatch)
  );
}

/**
 * Checks every step of a proof in this browser. Only the chain is queried, through the visitor's own wallet if there is
 * one.
 */
export async function verify(proof: unknown, expected?: ExpectedReading): Promise<Verified> {
  const place = placeOf(proof);
  if (!place) {
    const steps = await verifyProof(proof, null, expected);
    return { steps, verdict: verdictOf(steps), source: null, known: true };
  }
  const [chain, trusted] = await Promise.all([openChain(place.chainId), anchorOf(place.shortId)]);
  const judged = await verifyProof(proof, { ...trusted, call: callOf(chain) }, expected);
  // The reason of a step that failed by itself is more useful than "this is another reading".
  const other = expected && verdictOf(judged) !== "fail" && !isExpected(proof as ReadingProof, expected);
  const checked = trusted ? judged : judged.map(distrustContract);
  const steps = other ? malformedSteps(proofSteps, { reason: "other_reading" }) : checked;
  return { steps, verdict: verdictOf(steps), source: chain.source(), known: trusted !== null };
}
