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

/** What a deposit needs of chain and wallet. Every step throws what went wrong; amounts in smallest units. */
export interface DepositSteps {
  allowance(): Promise<bigint>;
  /** Whether the wallet can give its allowance by an EIP-2612 signature at all. */
  canPermit(): Promise<boolean>;
  /** Everything the vault checks before it takes the money, as far as it can be tried without an allowance. */
  rehearse(): Promise<void>;
  /** Asks the wallet for the permit. */
  signPermit(): Promise<PermitSignature>;
  simulate(permit: PermitSignature | null): Promise<void>;
  /** Asks the wallet to send; resolves with the hash, already tracked. */
  send(permit: PermitSignature | null): Promise<Hash>;
  approve(): Promise<Hash>;
  /** Resolves when the approval is on chain; throws when it failed or was replaced by something else. */
  approved(hash: Hash): Promise<void>;
}

export interface WithdrawalSteps {
  simulate(): Promise<void>;
  send(): Promise<Hash>;
}

/**
 * Deposits `assets`: one permit signature and one transaction where the wallet can, a plain deposit where an allowance is
 * left, else an approval of exactly this amount first.
 */
export function runDeposit(
  steps: DepositSteps,
  assets: bigint,
  explain: Explain,
  report: Report,
): Promise<ActionStage> {
  return run(explain, report, async () => {
    if ((await steps.allowance()) >= assets) return finish(steps, null, report);
    await steps.rehearse();
    const permit = (await steps.canPermit()) ? await tryPermit(steps, report) : null;
    if (permit !== null) {
      report({ stage: "simulating" });
      return finish(steps, permit, report);
    }
    report({ stage: "signing", what: "approval" });
    const hash = await steps.approve();
    report({ stage: "approving", hash });
    await steps.approved(hash);
    report({ stage: "simulating" });
    return finish(steps, null, report);
  });
}

export function runWithdrawal(steps: WithdrawalSteps, explain: Explain, report: Report): Promise<ActionStage> {
  return run(explain, report, async () => {
    await steps.simulate();
    report({ stage: "signing", what: "transaction" });
    return steps.send();
  });
}

/** Puts an error into words; see explainError. */
export type Explain = (error: unknown) => Reason;

async function finish(steps: DepositSteps, permit: PermitSignature | null, report: Report): Promise<Hash> {
  await steps.simulate(permit);
  report({ stage: "signing", what: "transaction" });
  return steps.send(permit);
}

/** Null when the wallet does not know how to sign typed data. A refusal is passed on. */
async function tryPermit(steps: DepositSteps, report: Report): Promise<PermitSignature | null> {
  report({ stage: "signing", what: "permit" });
  try {
    return await steps.signPermit();
  } catch (error) {
    if (!isRefusal(error) && isUnsupported(error)) return null;
    throw error;
  }
}

/** Runs an action to its last stage and reports every stage on the way. A refusal goes back to idle without a word. */
async function run(explain: Explain, report: Report, action: () => Promise<Hash>): Promise<ActionStage> {
  report({ stage: "simulating" });
  let last: ActionStage;
  try {
    last = { stage: "sent", hash: await action() };
  } catch (error) {
    if (isRefusal(error)) last = { stage: "idle" };
    else last = { stage: "failed", reason: error instanceof ActionError ? error.reason : explain(error) };
  }
  report(last);
  return last;
}
