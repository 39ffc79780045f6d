import type { Step } from "@aqua/sdk/proofs/steps";
import { api } from "../api.ts";

/** Returns null if the server answers that the requested item does not exist. Rethrows any other failure. */
export function nullIfNotFound(error: unknown): null {
  const code = (error as { error_code?: unknown } | null)?.error_code;
  if (code === "pool_not_found" || code === "not_found" || code === "validation_error") return null;
  throw error;
}

/** The contract that anchors a product's readings, as this site lists it. */
export async function anchorOf(shortId: string) {
  const product = await api.product(shortId).catch(nullIfNotFound);
  const contract = product?.contracts.find(({ role }) => role === "telemetry_anchor")?.address;
  return product && contract ? { chainId: product.chain_id, contract } : null;
}

/** The steps that pass because of what the contract answers. */
const contractSteps: readonly string[] = ["key", "co_signature", "anchored"];

/** Marks a passed step as unknown if it depends on a contract that this site does not know: anyone can deploy one. */
export function distrustContract<Checked extends Pick<Step<string>, "step" | "state">>(
  step: Checked,
): Checked & { reason?: "own_contract" } {
  if (step.state !== "pass" || !contractSteps.includes(step.step)) return step;
  return { ...step, state: "unknown", reason: "own_contract" };
}
