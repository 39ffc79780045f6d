import type { ChainAnswer, ChainReader } from "./chain.ts";
import type { HexText } from "./reading.ts";

/** Why a step failed, or why its result is unknown. */
export type Reason =
  /** The wrong shape; or a figure out of range. */
  | "shape"
  | "range"
  /** The step depends on the first one, which failed. */
  | "form"
  /** The proof is of another reading than the requested one. */
  | "other_reading"
  /** No chain was queried; it did not answer; the contract does not exist on it. */
  | "no_chain"
  | "chain_away"
  | "no_contract"
  /** The proof names another contract or chain than the trusted one. */
  | "foreign_contract"
  /** The device had no valid key in that second. */
  | "no_key"
  | "other_key"
  | "signature"
  /** The co-signer had no key in that second; did not sign this; is the device itself. */
  | "no_co_key"
  | "co_signature"
  | "own_co_signer"
  /** Browsers verify P-256 in secure contexts only. */
  | "no_webcrypto"
  | "leaf"
  | "path"
  /** The batch is in the stream of another product than it names. */
  | "stream"
  | "head"
  | "not_anchored"
  /** Batches have been anchored since then; only their digests can prove it. */
  | "stale"
  | "reading_after_batch"
  | "anchored_before_end"
  /**
   * For batch files: `prev` is not the previous reading's hash; not later than it; another root; figures differ from
   * the published ones.
   */
  | "prev"
  | "time_order"
  | "root"
  | "published"
  /** Not the number after the other batch's. */
  | "number";

export interface Step<Name extends string> {
  step: Name;
  state: "pass" | "fail" | "unknown";
  /** Set unless it passed. */
  reason?: Reason;
  /** The computed value: the leaf, the root or the head. */
  found?: HexText;
  /** In a batch file, the first wrong line; the header is line 1. */
  line?: number;
}

/** How far ahead a device's clock may run, in seconds; the server accepts readings up to the same limit. */
export const clockLead = 120;

/** The worst state of the steps: fail, else unknown, else pass. */
export function verdictOf(steps: readonly Pick<Step<string>, "state">[]): Step<string>["state"] {
  const has = (state: Step<string>["state"]) => steps.some((step) => step.state === state);
  return has("fail") ? "fail" : has("unknown") ? "unknown" : "pass";
}

export function judged<Name extends string>(step: Name, holds: boolean, reason: Reason): Step<Name> {
  return holds ? { step, state: "pass" } : { step, state: "fail", reason };
}

/** The steps when already the form is wrong. */
export function malformedSteps<Name extends string>(
  names: readonly Name[],
  wrong: Omit<Step<Name>, "step" | "state">,
): Step<Name>[] {
  return names.map((step, index) =>
    index === 0 ? { step, state: "fail", ...wrong } : { step, state: "unknown", reason: "form" },
  );
}

/** Whether the batch is on chain, in the trusted contract. */
export function anchoredStep(
  { contract, chain_id }: { contract: string; chain_id: number },
  chain: ChainReader | null,
  told: ChainAnswer<boolean | "stale">,
): Step<"anchored"> {
  const step = "anchored";
  const foreign =
    (chain?.contract !== undefined && chain.contract.toLowerCase() !== contract.toLowerCase()) ||
    (chain?.chainId !== undefined && chain.chainId !== chain_id);
  if (foreign) return { step, state: "fail", reason: "foreign_contract" };
  if ("silent" in told) return { step, state: "unknown", reason: told.silent };
  if (told.answer === "stale") return { step, state: "unknown", reason: "stale" };
  return judged(step, told.answer, "not_anchored");
}
