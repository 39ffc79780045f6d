import type { ChainAnswer, ChainReader } from "./chain.ts";
import type { HexText } from "./reading.ts";

/** Why a step failed, or why nothing can be said of it. */
export type Reason =
  /** Not the shape it should have; of its figures, one cannot be. */
  | "shape"
  | "range"
  /** The step needs what the first one did not find. */
  | "form"
  /** Right as it may be, it is of another reading than the one asked for. */
  | "other_reading"
  /** Nobody was asked; nobody answered; there is no such contract on the chain that was asked. */
  | "no_chain"
  | "chain_away"
  | "no_contract"
  /** Another contract or chain is named than the one that is trusted. */
  | "foreign_contract"
  /** The device had no key in that second: not yet, or no more. */
  | "no_key"
  | "other_key"
  | "signature"
  /** The co-signer had no key in that second; did not sign this; is the device itself. */
  | "no_co_key"
  | "co_signature"
  | "own_co_signer"
  /** The browser verifies P-256 on pages from https alone. */
  | "no_webcrypto"
  | "leaf"
  | "path"
  /** The batch is of another product's stream than it says. */
  | "stream"
  | "head"
  | "not_anchored"
  /** Batches have been anchored since then; only their digests would show it. */
  | "stale"
  | "reading_after_batch"
  | "anchored_before_end"
  /** Of batch files: not the hash of the reading before; not later than it; another root; other figures than published. */
  | "prev"
  | "time_order"
  | "root"
  | "published"
  /** Not the batch after the other. */
  | "number";

export interface Step<Name extends string> {
  step: Name;
  state: "pass" | "fail" | "unknown";
  /** Unless it passed. */
  reason?: Reason;
  /** What was worked out: the leaf, the root, the head. */
  found?: HexText;
  /** Of a batch file, the first that is wrong; the header is line 1. */
  line?: number;
}

/** How far a device's clock may run ahead, in seconds: as far as readings are accepted. */
export const clockLead = 120;

/** Worst first: one step that failed, one that is unknown, or all passed. */
export function verdictOf(steps: readonly Pick<Step<string>, "state">[]): Step<string>["state"] {
  const has = (state: Step<string>["state"]) => steps.some((step) => step.state === state);
  return has("fail") ? "fail" : has("unknown") ? "unknown" : "pass";
}

export function judged<Name extends string>(step: Name, holds: boolean, reason: Reason): Step<Name> {
  return holds ? { step, state: "pass" } : { step, state: "fail", reason };
}

/** When not even the form is right. */
export function malformedSteps<Name extends string>(
  names: readonly Name[],
  wrong: Omit<Step<Name>, "step" | "state">,
): Step<Name>[] {
  return names.map((step, index) =>
    index === 0 ? { step, state: "fail", ...wrong } : { step, state: "unknown", reason: "form" },
  );
}

/** Whether the chain holds a batch; the batch must be of the contract that is trusted. */
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
