import type { Reason } from "../transactions.ts";

type Hash = `0x${string}`;

/** What the wallet is asked to sign. */
export type Signing = "permit" | "approval" | "transaction" | "message";

/**
 * Where an action stands until its transaction is on its way; from `sent` on the tracked transaction of that hash says
 * pending, confirmed, failed or replaced.
 */
export type ActionStage =
  | { stage: "idle" }
  | { stage: "simulating" }
  | { stage: "signing"; what: Signing }
  /** The approval that has to be on chain before the deposit can be sent. */
  | { stage: "approving"; hash: Hash }
  | { stage: "sent"; hash: Hash }
  | { stage: "failed"; reason: Reason };

export type Report = (stage: ActionStage) => void;

/** Thrown by a step that already knows why in words. */
export class ActionError extends Error {
  readonly reason: Reason;
  constructor(code: string, values: Record<string, string> = {}, options?: ErrorOptions) {
    super(code, options);
    this.name = "ActionError";
    this.reason = { code, values };
  }
}
