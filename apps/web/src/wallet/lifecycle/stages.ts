import type { Reason } from "../transactions.ts";

/**
 * What the wallet is to sign. `reset`: an allowance of 0. `batch`: allowance and payment, or several actions, in one
 * bundle (EIP-5792).
 */
export type Signing = "permit" | "reset" | "approval" | "transaction" | "batch" | "message";

/** Which of several consecutive actions, counted from 1. */
export interface Part {
  index: number;
  of: number;
}

/**
 * Stage of an action until its transaction is sent; from `sent` on the tracked transaction with that id is pending,
 * confirmed, failed, replaced or dropped.
 */
export type ActionStage =
  | { stage: "idle" }
  | { stage: "simulating"; part?: Part }
  | { stage: "signing"; what: Signing; part?: Part }
  /** The approval must be on chain before the payment can be sent. */
  | { stage: "approving"; id: string; part?: Part }
  /** An action must be on chain before the next one is requested. */
  | { stage: "waiting"; id: string; part?: Part }
  | { stage: "sent"; id: string }
  /** `partDone`: an action before it is on chain. */
  | { stage: "failed"; reason: Reason; partDone?: true };

export type Report = (stage: ActionStage) => void;

/** Thrown by a step that already has the reason. */
export class ActionError extends Error {
  readonly reason: Reason;
  constructor(code: string, values: Record<string, string> = {}, options?: ErrorOptions) {
    super(code, options);
    this.name = "ActionError";
    this.reason = { code, values };
  }
}
