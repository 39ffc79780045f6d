import { expect, test, vi } from "vitest";
import {
  type DepositSteps,
  type PermitSignature,
  runDeposit,
  runWithdrawal,
} from "../../src/wallet/lifecycle/actions.ts";
import { ActionError, type ActionStage } from "../../src/wallet/lifecycle/stages.ts";

const hash = `0x${"a".repeat(64)}` as const;
const approval = `0x${"c".repeat(64)}` as const;
const permit: PermitSignature = { deadline: 1n, v: 27, r: "0x01", s: "0x02" };
const refusal = Object.assign(new Error("wrapped"), {
  cause: Object.assign(new Error("User rejected the request."), { code: 4001 }),
});
const unsupported = Object.assign(new Error("no such method"), { code: 4200 });

function steps(overrides: Partial<DepositSteps> = {}) {
  return {
    allowance: vi.fn(async () => 0n),
    canPermit: vi.fn(async () => true),
    rehearse: vi.fn(async () => {}),
    signPermit: vi.fn(async () => permit),
    simulate: vi.fn(async (_: PermitSignature | null) => {}),
    send: vi.fn(async (_: PermitSignature | null) => hash),
    approve: vi.fn(async () => approval),
    approved: vi.fn(async () => {}),
    ...overrides,
  };
}

async function stagesOf(deposit: DepositSteps) {
  const stages: ActionStage[] = [];
  const explain = () => ({ code: "explained", values: {} });
  const last = await runDeposit(deposit, 100n, explain, (stage) => stages.push(stage));
  expect(stages.at(-1)).toEqual(last);
  return stages.map((stage) => (stage.stage === "signing" ? `signing ${stage.what}` : stage.stage));
}

test("a deposit is rehearsed, takes one permit, is simulated with it and sent", async () => {
  const deposit = steps();
  expect(await stagesOf(deposit)).toEqual([
    "simulating",
    "signing permit",
    "simulating",
    "signing transaction",
    "sent",
  ]);
  expect(deposit.rehearse).toHaveBeenCalledBefore(vi.mocked(deposit.signPermit));
  expect(deposit.simulate).toHaveBeenCalledWith(permit);
  expect(deposit.send).toHaveBeenCalledWith(permit);
  expect(deposit.approve).not.toHaveBeenCalled();
});

test("an allowance that suffices is used without a permit", async () => {
  const deposit = steps({ allowance: async () => 100n });
  expect(await stagesOf(deposit)).toEqual(["simulating", "signing transaction", "sent"]);
  expect(deposit.send).toHaveBeenCalledWith(null);
});

const viaApproval = ["signing approval", "approving", "simulating", "signing transaction", "sent"];

test("a contract wallet approves the exact amount first", async () => {
  const deposit = steps({ canPermit: async () => false });
  expect(await stagesOf(deposit)).toEqual(["simulating", ...viaApproval]);
  expect(deposit.approved).toHaveBeenCalledWith(approval);
  expect(deposit.send).toHaveBeenCalledWith(null);
});

test("a wallet that cannot sign typed data approves instead", async () => {
  const deposit = steps({ signPermit: () => Promise.reject(unsupported) });
  expect(await stagesOf(deposit)).toEqual(["simulating", "signing permit", ...viaApproval]);
});

test.each(["signPermit", "send"] as const)("a refusal of %s goes back to idle and says nothing", async (step) => {
  const stages = await stagesOf(steps({ [step]: () => Promise.reject(refusal) }));
  expect(stages.at(-1)).toBe("idle");
  expect(stages).not.toContain("failed");
});

test("a refused permit is not taken for a wallet that cannot sign", async () => {
  const deposit = steps({ signPermit: () => Promise.reject(refusal) });
  await stagesOf(deposit);
  expect(deposit.approve).not.toHaveBeenCalled();
});

test("nothing is signed when the rehearsal fails", async () => {
  const deposit = steps({ rehearse: () => Promise.reject(new ActionError("insufficientBalance", { balance: "1" })) });
  const stages: ActionStage[] = [];
  await runDeposit(
    deposit,
    100n,
    () => ({ code: "explained", values: {} }),
    (stage) => stages.push(stage),
  );
  expect(stages.at(-1)).toEqual({ stage: "failed", reason: { code: "insufficientBalance", values: { balance: "1" } } });
  expect(deposit.signPermit).not.toHaveBeenCalled();
});

test("a failed approval ends the deposit before anything is paid", async () => {
  const deposit = steps({
    canPermit: async () => false,
    approved: () => Promise.reject(new ActionError("approvalFailed")),
  });
  expect((await stagesOf(deposit)).at(-1)).toBe("failed");
  expect(deposit.send).not.toHaveBeenCalled();
});

test("a withdrawal is simulated before the wallet is asked", async () => {
  const send = vi.fn(async () => hash);
  const failing = { simulate: () => Promise.reject(new Error("no")), send };
  const last = await runWithdrawal(
    failing,
    () => ({ code: "explained", values: {} }),
    () => {},
  );
  expect(last).toEqual({ stage: "failed", reason: { code: "explained", values: {} } });
  expect(send).not.toHaveBeenCalled();
});
