import type { Step } from "@aqua/sdk/proofs/steps";
import { api } from "../api.ts";

/** Null when the server answers that it has no such thing; rethrows any other failure. */
export function noneHere(error: unknown): null {
  const code = (error as { error_code?: unknown } | null)?.error_code;
  if (code === "pool_not_found" || code === "not_found" || code === "validation_error") return null;
  throw error;
}

/** The contract that anchors a product's readings, as this site lists it. */
export async function anchorOf(shortId: string) {
  const product = await api.product(shortId).catch(noneHere);
  const contract = product?.contracts.find(({ role }) => role === "telemetry_anchor")?.address;
  return product && contract ? { chainId: product.chain_id, contract } : null;
}

const toldByContract: readonly string[] = ["key", "co_signature", "anchored"];

/** A step without a known trusted contract: what the named contract says proves nothing. */
export function ownWord<Checked extends Pick<Step<string>, "step" | "state">>(
  step: Checked,
): Checked & { reason?: "own_contract" } {
  if (step.state !== "pass" || !toldByContract.includes(step.step)) return step;
  return { ...step, state: "unknown", reason: "own_contract" };
}
