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

/**
 * Whether the wallet carries out several calls as one: it does; it could once its owner lets it change the account; it
 * does not.
 */
export type Batching = "supported" | "ready" | null;

/** What a payment needs of chain and wallet. Every step throws what went wrong; amounts in smallest units. */
export interface PaymentSteps {
  allowance(): Promise<bigint>;
  batching(): Promise<Batching>;
  /** Whether the wallet can give its allowance by an EIP-2612 signature at all. */
  canPermit(): Promise<boolean>;
  /** Everything the contract checks before it takes the money, as far as it can be tried without an allowance. */
  rehearse(): Promise<void>;
  /** Asks the wallet for approval and payment as one; resolves with the bundle's id, already tracked. */
  sendBatch(): Promise<string>;
  /** Asks the wallet for the permit. */
  signPermit(): Promise<PermitSignature>;
  simulate(permit: PermitSignature | null): Promise<void>;
  /** Asks the wallet to send; resolves with the id, already tracked. */
  send(permit: PermitSignature | null): Promise<string>;
  approve(): Promise<string>;
  /** Resolves when the approval is on chain; throws when it failed or was replaced by something else. */
  approved(id: string): Promise<void>;
}

export interface CallSteps {
  simulate(): Promise<void>;
  send(): Promise<string>;
}

/** Several actions, the next only after the one before. */
export interface SeriesSteps {
  batching(): Promise<Batching>;
  /** How many there are. */
  count: number;
  /** All as one; resolves with the bundle's id, already tracked. */
  sendBatch(): Promise<string>;
  /** One of them, counted from 0, up to its sending. */
  one(index: number): CallSteps;
  /** Resolves when it is on chain; throws when it ended in another way. */
  confirmed(id: string): Promise<void>;
}

/**
 * Pays `assets`: in one step where an allowance is left or the wallet batches by itself; else one permit signature and one
 * transaction where the wallet can; else an approval of exactly this amount first, in a batch where the wallet offers one.
 * A wallet that would have to change its account for a batch is asked for that last.
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
    if ((await steps.allowance()) >= assets) return finish(steps, null, report);
    await steps.rehearse();
    const batching = await steps.batching();
    if (batching === "supported") {
      const id = await tryBatch(steps, report);
      if (id !== null) return id;
    }
    const permit = (await steps.canPermit()) ? await tryPermit(steps, report) : null;
    if (permit !== null) {
      report({ stage: "simulating" });
      return finish(steps, permit, report);
    }
    if (batching === "ready") {
      const id = await tryBatch(steps, report);
      if (id !== null) return id;
    }
    report({ stage: "signing", what: "approval" });
    const approval = await steps.approve();
    report({ stage: "approving", id: approval });
    await steps.approved(approval);
    report({ stage: "simulating" });
    return finish(steps, null, report);
  });
}

export function runCall(steps: CallSteps, explain: Explain, report: Report): Promise<ActionStage> {
  return run(explain, report, () => call(steps, report));
}

/** All as one where the wallet batches by itself, else one after another; what came before a refusal stays done. */
export function runSeries(steps: SeriesSteps, explain: Explain, report: Report): Promise<ActionStage> {
  return run(explain, report, async () => {
    if (steps.count > 1 && (await steps.batching()) === "supported") {
      const id = await tryBatch(steps, report);
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
    }
  });
}

/** Puts an error into words; see explainError. */
export type Explain = (error: unknown) => Reason;

async function call(steps: CallSteps, report: Report): Promise<string> {
  await steps.simulate();
  report({ stage: "signing", what: "transaction" });
  return steps.send();
}

async function finish(steps: PaymentSteps, permit: PermitSignature | null, report: Report): Promise<string> {
  await steps.simulate(permit);
  report({ stage: "signing", what: "transaction" });
  return steps.send(permit);
}

/** Null when the wallet does not know how to sign typed data. A refusal is passed on. */
async function tryPermit(steps: PaymentSteps, report: Report): Promise<PermitSignature | null> {
  report({ stage: "signing", what: "permit" });
  try {
    return await steps.signPermit();
  } catch (error) {
    if (!isRefusal(error) && isUnsupported(error)) return null;
    throw error;
  }
}

/** Null when the wallet turns out not to take this batch, so that another way has to be gone. A refusal is passed on. */
async function tryBatch(steps: { sendBatch(): Promise<string> }, report: Report): Promise<string | null> {
  report({ stage: "signing", what: "batch" });
  try {
    return await steps.sendBatch();
  } catch (error) {
    if (!isRefusal(error) && isUnsupported(error)) {
      report({ stage: "simulating" });
      return null;
    }
    throw error;
  }
}

/** Runs an action to its last stage and reports every stage on the way. A refusal goes back to idle without a word. */
async function run(explain: Explain, report: Report, action: () => Promise<string>): Promise<ActionStage> {
  report({ stage: "simulating" });
  let last: ActionStage;
  try {
    last = { stage: "sent", id: await action() };
  } catch (error) {
    if (isRefusal(error)) last = { stage: "idle" };
    else last = { stage: "failed", reason: error instanceof ActionError ? error.reason : explain(error) };
  }
  report(last);
  return last;
}
