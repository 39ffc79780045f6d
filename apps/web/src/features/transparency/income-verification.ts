import type { IncomeProof } from "@aqua/sdk/api/incomeProof";
import { incomeReads } from "@aqua/sdk/chain/income-events";
import { isIncomeProof } from "@aqua/sdk/proofs/incomeForm";
import { verdictOf } from "@aqua/sdk/proofs/steps";
import { type IncomeStep, verifyIncomeProof } from "@aqua/sdk/proofs/verifyIncome";
import { callOf, openChain } from "../../wallet/chain-reader.ts";
import { api } from "../api.ts";
import type { Verified } from "../readings/proof-verification.ts";
import { nullIfNotFound } from "../readings/published-anchor.ts";

/** `own_contract`: the step passes in contracts that only the file itself names. */
export type CheckedStep = Omit<IncomeStep, "reason"> & { reason?: NonNullable<IncomeStep["reason"]> | "own_contract" };

export interface CheckedIncome extends Omit<Verified, "steps"> {
  steps: CheckedStep[];
  /** Null if the file does not have the right form. */
  file: IncomeProof | null;
}

/** The steps that pass because of what contracts answer. */
const contractSteps: readonly string[] = ["keys", "anchored", "events", "balances"];

/** The contracts that this site lists for the first product of a file. Null if it does not list it on that chain. */
async function trustedContracts({ chain_id, products: [first] }: IncomeProof) {
  const product = first ? await api.product(first.short_id).catch(nullIfNotFound) : null;
  if (product === null || product.chain_id !== chain_id) return null;
  const addressOf = (wanted: string) => product.contracts.find(({ role }) => role === wanted)?.address;
  const [registry, anchor] = [addressOf("product_registry"), addressOf("telemetry_anchor")];
  return registry === undefined ? null : { registry: registry as `0x${string}`, anchor };
}

/** Checks every link of an income proof in this browser, and reads the chain through the visitor's own wallet if any. */
export async function checkIncome(file: unknown): Promise<CheckedIncome> {
  if (!isIncomeProof(file)) {
    const steps = await verifyIncomeProof(file, null);
    return { steps, verdict: verdictOf(steps), source: null, known: true, file: null };
  }
  const [chain, trusted] = await Promise.all([openChain(file.chain_id), trustedContracts(file)]);
  const found = await verifyIncomeProof(file, {
    ...incomeReads(chain.client, trusted?.registry ?? null),
    chainId: file.chain_id,
    ...(trusted?.anchor !== undefined && { contract: trusted.anchor }),
    call: callOf(chain),
  });
  // A file without products names no contract.
  const known = trusted !== null || file.products.length === 0;
  const steps = known ? found : found.map(distrust);
  return { steps, verdict: verdictOf(steps), source: chain.source(), known, file };
}

function distrust(step: IncomeStep): CheckedStep {
  const rests = step.state === "pass" && contractSteps.includes(step.step);
  return rests ? { ...step, state: "unknown", reason: "own_contract" } : step;
}
