import type { ChainAnswer, ChainReader } from "./chain.ts";
import type { HexText } from "./reading.ts";

/** The reason why a step failed, or why its result is unknown. */
export type Reason =
  /** The shape is wrong; a figure is out of range. */
  | "shape"
  | "range"
  /** The step depends on the first step, which failed. */
  | "form"
  /** The proof belongs to another reading than the requested one. */
  | "other_reading"
  /** No chain was queried; the chain did not answer; the contract does not exist on it. */
  | "no_chain"
  | "chain_away"
  | "no_contract"
  /** The proof names another contract or chain than the trusted one. */
  | "foreign_contract"
  /** The device had no valid key in that second. */
  | "no_key"
  | "other_key"
  | "signature"
  /** The co-signer had no key in that second; it did not sign this reading; it is the device itself. */
  | "no_co_key"
  | "co_signature"
  | "own_co_signer"
  /** Browsers verify P-256 only in secure contexts. */
  | "no_webcrypto"
  | "leaf"
  | "path"
  /** The batch is in the stream of another product than the one it names. */
  | "stream"
  | "head"
  | "not_anchored"
  /** Further batches have been anchored. Only their digests can prove this batch. */
  | "stale"
  | "reading_after_batch"
  | "anchored_before_end"
  /**
   * For batch files: `prev` is not the previous reading's hash; the reading is not later than the previous one; the
   * root differs; figures differ from the published ones.
   */
  | "prev"
  | "time_order"
  | "root"
  | "published"
  /** The number does not follow the other batch's number. */
  | "number";

export interface Step<Name extends string> {
  step: Name;
  state: "pass" | "fail" | "unknown";
  /** Set unless the step passed. */
  reason?: Reason;
  /** The computed value: the leaf, the root or the head. */
  found?: HexText;
  /** In a batch file, the first wrong line. The header is line 1. */
  line?: number;
}

/** Seconds that a device's clock may run ahead. The server accepts readings up to the same limit. */
export const clockLead = 120;

/** The worst state of the steps: fail before unknown before pass. */
export function verdictOf(steps: readonly Pick<Step<string>, "state">[]): Step<string>["state"] {
  const has = (state: Step<string>["state"]) => steps.some((step) => step.state === state);
  return has("fail") ? "fail" : has("unknown") ? "unknown" : "pass";
}

export function judged<Name extends string>(step: Name, holds: boolean, reason: Reason): Step<Name> {
  return holds ? { step, state: "pass" } : { step, state: "fail", reason };
}

/** The steps of an input whose form is wrong. */
export function malformedSteps<Name extends string>(
  names: readonly Name[],
  wrong: Omit<Step<Name>, "step" | "state">,
): Step<Name>[] {
  return names.map((step, index) =>
    index === 0 ? { step, state: "fail", ...wrong } : { step, state: "unknown", reason: "form" },
  );
}

/** Judges whether the batch is on chain in the trusted contract. */
export function anchoredStep(
  { contract, chain_id }: { contract: string; chain_id: number },
  chain: ChainReader | null,
  result: ChainAnswer<boolean | "stale">,
): Step<"anchored"> {
  const step = "anchored";
  const foreign =
    (chain?.contract !== undefined && chain.contract.toLowerCase() !== contract.toLowerCase()) ||
    (chain?.chainId !== undefined && chain.chainId !== chain_id);
  if (foreign) return { step, state: "fail", reason: "foreign_contract" };
  if ("silent" in result) return { step, state: "unknown", reason: result.silent };
  if (result.answer === "stale") return { step, state: "unknown", reason: "stale" };
  return judged(step, result.answer, "not_anchored");
}
