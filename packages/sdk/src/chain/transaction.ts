import { reportFault } from "../../report-error.ts";
import type { Reason } from "../transactions.ts";
import { isRefusal, isUnsupported } from "./refusal.ts";
import { ActionError, type ActionStage, type Report } from "./stages.ts";

type Hash = `0x${string}`;

export interface PermitSignature {
  deadline: bigint;
  v: number;
  r: Hash;
  s: Hash;
}

/** Whether the wallet executes several calls in one bundle: yes; after its owner lets it upgrade the account; no. */
export type Batching = "supported" | "ready" | null;

/** The steps of a payment on chain and in the wallet. Each throws its error; amounts in smallest units. */
export interface PaymentSteps {
  allowance(): Promise<bigint>;
  batching(): Promise<Batching>;
  /** Whether the allowance can be given by an EIP-2612 signature at all. */
  canPermit(): Promise<boolean>;
  /** Checks everything the contract checks before the transfer, as far as possible without an allowance. */
  rehearse(): Promise<void>;
  /** Whether the token rejects the approval because an earlier allowance is left. */
  mustReset(): Promise<boolean>;
  /** Has the wallet send approvals and payment as one bundle; resolves with the bundle's id, already tracked. */
  sendBatch(approvals: readonly bigint[]): Promise<string>;
  /** Has the wallet sign the permit. */
  signPermit(): Promise<PermitSignature>;
  simulate(): Promise<void>;
  /** Simulates with the permit; false when the token does not accept it, so that there is no allowance. */
  permitWorks(permit: PermitSignature): Promise<boolean>;
  /** Has the wallet send the payment; resolves with the id, already tracked. */
  send(permit: PermitSignature | null): Promise<string>;
  approve(amount: bigint): Promise<string>;
  /**
   * Resolves once the chain shows an allowance of `amount`, by whichever transaction: a contract wallet may answer a hash
   * that never appears. Throws when the approval failed or was replaced, or is unknown, and there is no such allowance.
   */
  approved(id: string, amount: bigint): Promise<void>;
}

export interface CallSteps {
  simulate(): Promise<void>;
  send(): Promise<string>;
}

/** Several actions, one after another. */
export interface SeriesSteps {
  batching(): Promise<Batching>;
  /** The number of actions. */
  count: number;
  /** Sends all as one bundle; resolves with its id, already tracked. */
  sendBatch(): Promise<string>;
  /** The steps of one action, counted from 0, up to its sending. */
  one(index: number): CallSteps;
  /** Resolves when it is on chain; throws for any other outcome. */
  confirmed(id: string): Promise<void>;
}

/**
 * Pays `assets`: in one step where an allowance is left or the wallet already supports batching; else with a permit
 * signature and one transaction where the token accepts the permit, which it may not from an account with code
 * (EIP-7702); else with an approval of exactly this amount first, in a batch where the wallet offers one. A batch that needs an upgrade of the account is the last choice. An allowance that is left but
 * does not suffice is set to 0 first where the token requires it.
 */
export function runPayment({
  steps,
  assets,
  explain,
  report,
}: {
  steps: PaymentSteps;
  assets: bigint;
  explain: Explain;
  report: Report;
}): Promise<ActionStage> {
  return run(explain, report, async () => {
    const left = await steps.allowance();
    if (left >= assets) return simulateAndSend(steps, report);
    await steps.rehearse();
    const approvals = left > 0n && (await steps.mustReset()) ? [0n, assets] : [assets];
    const sendBatch = () => steps.sendBatch(approvals);
    const batching = await steps.batching();
    if (batching === "supported") {
      const id = await tryBatch(sendBatch, report);
      if (id !== null) return id;
    }
    const permit = (await steps.canPermit()) ? await tryPermit(steps, report) : null;
    if (permit !== null) {
      report({ stage: "simulating" });
      if (await steps.permitWorks(permit)) return sendPayment(steps, permit, report);
    }
    if (batching === "ready") {
      const id = await tryBatch(sendBatch, report);
      if (id !== null) return id;
    }
    for (const amount of approvals) {
      report({ stage: "signing", what: amount > 0n ? "approval" : "reset" });
      const id = await steps.approve(amount);
      report({ stage: amount > 0n ? "approving" : "waiting", id });
      await steps.approved(id, amount);
    }
    report({ stage: "simulating" });
    return simulateAndSend(steps, report);
  });
}

export function runCall(steps: CallSteps, explain: Explain, report: Report): Promise<ActionStage> {
  return run(explain, report, () => call(steps, report));
}

/**
 * All in one bundle where the wallet already supports batching, else one after another; actions before a rejection stay
 * done.
 */
export function runSeries(steps: SeriesSteps, explain: Explain, report: Report): Promise<ActionStage> {
  let partDone = false;
  const reportPart: Report = (stage) => report(stage.stage === "failed" && partDone ? { ...stage, partDone } : stage);
  return run(explain, reportPart, async () => {
    if (steps.count > 1 && (await steps.batching()) === "supported") {
      const id = await tryBatch(() => steps.sendBatch(), report);
      if (id !== null) return id;
    }
    for (let index = 0; ; index++) {
      const part = { index: index + 1, of: steps.count };
      if (index > 0) report({ stage: "simulating", part });
      const id = await call(steps.one(index), (stage) =>
        report(stage.stage === "signing" ? { ...stage, part } : stage),
      );
      if (index + 1 >= steps.count) return id;
      report({ stage: "waiting", id, part });
      await steps.confirmed(id);
      partDone = true;
    }
  });
}

/** Converts an error to a reason; see explainError. */
export type Explain = (error: unknown) => Reason;

async function call(steps: CallSteps, report: Report): Promise<string> {
  await steps.simulate();
  report({ stage: "signing", what: "transaction" });
  return steps.send();
}

async function simulateAndSend(steps: PaymentSteps, report: Report): Promise<string> {
  await steps.simulate();
  return sendPayment(steps, null, report);
}

function sendPayment(steps: PaymentSteps, permit: PermitSignature | null, report: Report): Promise<string> {
  report({ stage: "signing", what: "transaction" });
  return steps.send(permit);
}

/** Null when the wallet cannot sign typed data. Rethrows a rejection. */
async function tryPermit(steps: PaymentSteps, report: Report): Promise<PermitSignature | null> {
  report({ stage: "signing", what: "permit" });
  try {
    return await steps.signPermit();
  } catch (error) {
    if (!isRefusal(error) && isUnsupported(error)) return null;
    throw error;
  }
}

/** Null when the wallet turns out not to accept this batch, so that another way is needed. Rethrows a rejection. */
async function tryBatch(sendBatch: () => Promise<string>, report: Report): Promise<string | null> {
  report({ stage: "signing", what: "batch" });
  try {
    return await sendBatch();
  } catch (error) {
    if (!isRefusal(error) && isUnsupported(error)) {
      report({ stage: "simulating" });
      return null;
    }
    throw error;
  }
}

/** Runs an action to its last stage and reports every stage. A rejection returns to idle without a message. */
async function run(explain: Explain, report: Report, action: () => Promise<string>): Promise<ActionStage> {
  report({ stage: "simulating" });
  let last: ActionStage;
  try {
    last = { stage: "sent", id: await action() };
  } catch (error) {
    if (isRefusal(error)) last = { stage: "idle" };
    else {
      const reason = error instanceof ActionError ? error.reason : explain(error);
      if (reason.code === "unknown") reportFault("wallet", error);
      last = { stage: "failed", reason };
    }
  }
  report(last);
  return last;
}
