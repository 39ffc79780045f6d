import { expect, test, vi } from "vitest";
import {
  type Batching,
  type PaymentSteps,
  type PermitSignature,
  runCall,
  runPayment,
  runSeries,
} from "../../src/wallet/lifecycle/actions.ts";
import { explainError } from "../../src/wallet/lifecycle/explain.ts";
import { ActionError, type ActionStage } from "../../src/wallet/lifecycle/stages.ts";

const hash = `0x${"a".repeat(64)}` as const;
const approval = `0x${"c".repeat(64)}` as const;
const permit: PermitSignature = { deadline: 1n, v: 27, r: "0x01", s: "0x02" };
const refusal = Object.assign(new Error("wrapped"), {
  cause: Object.assign(new Error("User rejected the request."), { code: 4001 }),
});
const unsupported = Object.assign(new Error("no such method"), { code: 4200 });

function steps(overrides: Partial<PaymentSteps> = {}) {
  return {
    allowance: vi.fn(async () => 0n),
    batching: vi.fn(async (): Promise<Batching> => null),
    mustReset: vi.fn(async () => false),
    sendBatch: vi.fn(async (_: readonly bigint[]) => "bundle"),
    canPermit: vi.fn(async () => true),
    rehearse: vi.fn(async () => {}),
    signPermit: vi.fn(async () => permit),
    simulate: vi.fn(async () => {}),
    permitWorks: vi.fn(async (_: PermitSignature) => true),
    send: vi.fn(async (_: PermitSignature | null) => hash),
    approve: vi.fn(async (_: bigint) => approval),
    approved: vi.fn(async () => {}),
    ...overrides,
  };
}

async function stagesOf(deposit: PaymentSteps) {
  const stages: ActionStage[] = [];
  const explain = () => ({ code: "explained", values: {} });
  const last = await runPayment({ steps: deposit, assets: 100n, explain, report: (stage) => stages.push(stage) });
  expect(stages.at(-1)).toEqual(last);
  return stages.map((stage) => (stage.stage === "signing" ? `signing ${stage.what}` : stage.stage));
}

test("a deposit is simulated without a permit, takes one permit, is simulated with it and sent", async () => {
  const deposit = steps();
  expect(await stagesOf(deposit)).toEqual([
    "simulating",
    "signing permit",
    "simulating",
    "signing transaction",
    "sent",
  ]);
  expect(deposit.rehearse).toHaveBeenCalledBefore(vi.mocked(deposit.signPermit));
  expect(deposit.permitWorks).toHaveBeenCalledWith(permit);
  expect(deposit.send).toHaveBeenCalledWith(permit);
  expect(deposit.approve).not.toHaveBeenCalled();
});

test("a sufficient allowance is used without a permit", async () => {
  const deposit = steps({ allowance: async () => 100n });
  expect(await stagesOf(deposit)).toEqual(["simulating", "signing transaction", "sent"]);
  expect(deposit.send).toHaveBeenCalledWith(null);
});

const viaApproval = ["signing approval", "approving", "simulating", "signing transaction", "sent"];

test("a contract wallet approves the exact amount first", async () => {
  const deposit = steps({ canPermit: async () => false });
  expect(await stagesOf(deposit)).toEqual(["simulating", ...viaApproval]);
  expect(deposit.approved).toHaveBeenCalledWith(approval, 100n);
  expect(deposit.send).toHaveBeenCalledWith(null);
});

test("a wallet that cannot sign typed data approves instead", async () => {
  const deposit = steps({ signPermit: () => Promise.reject(unsupported) });
  expect(await stagesOf(deposit)).toEqual(["simulating", "signing permit", ...viaApproval]);
});

test.each(["signPermit", "send"] as const)("a rejection of %s goes back to idle without a message", async (step) => {
  const stages = await stagesOf(steps({ [step]: () => Promise.reject(refusal) }));
  expect(stages.at(-1)).toBe("idle");
  expect(stages).not.toContain("failed");
});

test("what an action failed for is in the log where it is a fault of this app", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ data: {} }));
  const fault = new TypeError("x is undefined");
  const explain = (error: unknown) => explainError(error, { assetDecimals: 6, shareDecimals: 12 });
  const failing = (error: Error) => ({ simulate: () => Promise.reject(error), send: async () => hash });
  const outOfOrder = Object.assign(new Error("The wallet is out of order."), { code: -32603 });
  for (const error of [fault, outOfOrder, new ActionError("walletChanged")])
    await runCall(failing(error), explain, () => undefined);
  expect(log.mock.calls).toEqual([[fault]]);
  await vi.dynamicImportSettled();
});

test("a rejected permit is not mistaken for a wallet that cannot sign", async () => {
  const deposit = steps({ signPermit: () => Promise.reject(refusal) });
  await stagesOf(deposit);
  expect(deposit.approve).not.toHaveBeenCalled();
});

test("nothing is signed when the first simulation fails", async () => {
  const deposit = steps({ rehearse: () => Promise.reject(new ActionError("insufficientBalance", { balance: "1" })) });
  const stages: ActionStage[] = [];
  await runPayment({
    steps: deposit,
    assets: 100n,
    explain: () => ({ code: "explained", values: {} }),
    report: (stage) => stages.push(stage),
  });
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

const leftover = { allowance: async () => 1n, mustReset: async () => true };

test("a permit replaces an earlier allowance without a reset", async () => {
  const deposit = steps(leftover);
  await stagesOf(deposit);
  expect(deposit.send).toHaveBeenCalledWith(permit);
  expect(deposit.approve).not.toHaveBeenCalled();
});

test("a failed reset ends the deposit before the approval", async () => {
  const deposit = steps({
    ...leftover,
    canPermit: async () => false,
    approved: () => Promise.reject(new ActionError("approvalFailed")),
  });
  expect(await stagesOf(deposit)).toEqual(["simulating", "signing reset", "waiting", "failed"]);
  expect(vi.mocked(deposit.approve).mock.calls).toEqual([[0n]]);
});

test("a withdrawal is simulated before the wallet prompt", async () => {
  const send = vi.fn(async () => hash);
  const failing = { simulate: () => Promise.reject(new Error("no")), send };
  const last = await runCall(
    failing,
    () => ({ code: "explained", values: {} }),
    () => {},
  );
  expect(last).toEqual({ stage: "failed", reason: { code: "explained", values: {} } });
  expect(send).not.toHaveBeenCalled();
});

test("a wallet with batching is prompted once for allowance and payment together", async () => {
  const deposit = steps({ batching: async () => "supported" });
  expect(await stagesOf(deposit)).toEqual(["simulating", "signing batch", "sent"]);
  expect(deposit.rehearse).toHaveBeenCalled();
  expect(deposit.signPermit).not.toHaveBeenCalled();
  expect(deposit.send).not.toHaveBeenCalled();
});

test("a permit is used when the wallet does not accept the batch after all", async () => {
  const noUpgrade = Object.assign(new Error("no upgrade"), { code: 5750 });
  const deposit = steps({ batching: async () => "supported", sendBatch: () => Promise.reject(noUpgrade) });
  expect(await stagesOf(deposit)).toEqual([
    "simulating",
    "signing batch",
    "simulating",
    "signing permit",
    "simulating",
    "signing transaction",
    "sent",
  ]);
});

test("a wallet that needs an account upgrade for a batch is asked for a permit first", async () => {
  const permitting = steps({ batching: async () => "ready" });
  await stagesOf(permitting);
  expect(permitting.sendBatch).not.toHaveBeenCalled();
  const other = steps({ batching: async () => "ready", canPermit: async () => false });
  expect(await stagesOf(other)).toEqual(["simulating", "signing batch", "sent"]);
});

test("a rejected batch goes back to idle and tries no other way", async () => {
  const deposit = steps({ batching: async () => "supported", sendBatch: () => Promise.reject(refusal) });
  expect((await stagesOf(deposit)).at(-1)).toBe("idle");
  expect(deposit.signPermit).not.toHaveBeenCalled();
});

function series(batching: Batching, failing: Partial<Record<"simulate" | "send" | "confirmed", number>> = {}) {
  const log: string[] = [];
  const stages: ActionStage[] = [];
  const step = (name: "simulate" | "send" | "confirmed", index: number, error: unknown) => {
    log.push(`${name} ${index}`);
    if (failing[name] === index) throw error;
  };
  const running = runSeries(
    {
      count: 2,
      batching: async () => batching,
      sendBatch: async () => "bundle",
      one: (index) => ({
        simulate: async () => step("simulate", index, new Error("no")),
        send: async () => {
          step("send", index, refusal);
          return `id ${index}`;
        },
      }),
      confirmed: async (id) => step("confirmed", Number(id.slice(3)), new ActionError("partFailed")),
    },
    () => ({ code: "explained", values: {} }),
    (stage) => stages.push(stage),
  );
  return { running, log, stages };
}

test("a failure says whether an action before it is on chain", async () => {
  for (const [at, partDone] of [
    [{ simulate: 0 }, undefined],
    [{ confirmed: 0 }, undefined],
    [{ simulate: 1 }, true],
  ] as const) {
    const { running, stages } = series(null, at);
    await running;
    const last = stages.at(-1);
    expect(last?.stage === "failed" && last.partDone, JSON.stringify(at)).toBe(partDone);
  }
});

test("several actions are one bundle where the wallet supports batching", async () => {
  const { running, log } = series("supported");
  expect(await running).toEqual({ stage: "sent", id: "bundle" });
  expect(log).toEqual([]);
});

test("without batching each action is requested only when the previous one is on chain", async () => {
  const { running, log, stages } = series(null);
  expect(await running).toEqual({ stage: "sent", id: "id 1" });
  expect(log).toEqual(["simulate 0", "send 0", "confirmed 0", "simulate 1", "send 1"]);
  expect(stages).toContainEqual({ stage: "waiting", id: "id 0", part: { index: 1, of: 2 } });
  expect(stages).toContainEqual({ stage: "signing", what: "transaction", part: { index: 2, of: 2 } });
});

test("after a failed action the next is not requested", async () => {
  const { running, log } = series(null, { confirmed: 0 });
  expect(await running).toEqual({ stage: "failed", reason: { code: "partFailed", values: {} } });
  expect(log).not.toContain("send 1");
});

test("a rejection of the second action keeps the first, without a message", async () => {
  expect(await series(null, { send: 1 }).running).toEqual({ stage: "idle" });
});
