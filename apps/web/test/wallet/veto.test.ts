import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import type { ActionStage } from "@aqua/sdk/chain/transaction";
import { encodeFunctionData } from "viem";
import { beforeEach, expect, it, vi } from "vitest";
import { performVeto } from "../../src/wallet/chain/operations.ts";

const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const registry = "0x1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d";
const hash = `0x${"a".repeat(64)}`;
const { account, steps, wagmi } = vi.hoisted(() => {
  const steps: string[] = [];
  const account = { address: "", chainId: 31337 };
  const client = {
    chain: { id: 31337 },
    call: vi.fn(async () => void steps.push("simulate")),
    getTransaction: async () => ({ nonce: 1 }),
  };
  const wagmi = {
    getAccount: () => account,
    getClient: () => ({ extend: () => client }),
    switchChain: vi.fn(async (_config: unknown, { chainId }: { chainId: number }) => {
      steps.push("switch");
      account.chainId = chainId;
    }),
    sendTransaction: vi.fn(async (_config: unknown, _order: { chainId: number; to: string; data: string }) => {
      steps.push("send");
      return `0x${"a".repeat(64)}`;
    }),
  };
  return { account, steps, wagmi };
});
vi.mock("wagmi/actions", async (original) => ({ ...(await original<object>()), ...wagmi }));
vi.mock("../../src/wallet/connect/config.ts", () => ({ prepareIsland: async () => ({ config: {} }) }));
vi.mock("../../src/wallet/track-transaction.ts", () => ({ trackTransaction: vi.fn() }));

const order = { chainId: 31337, registry, wallet } as const;
const run = () => performVeto(order, "veto", (stage: ActionStage) => void stage);

beforeEach(() => {
  steps.length = 0;
  wagmi.switchChain.mockClear();
  Object.assign(account, { address: wallet, chainId: 31337 });
});

it("performVeto sends the veto without a switch if the wallet is on the chain", async () => {
  expect(await run()).toEqual({ stage: "sent", id: hash });
  expect(steps).toEqual(["simulate", "send"]);
  const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: "vetoRecovery" });
  expect(wagmi.sendTransaction.mock.lastCall?.[1]).toMatchObject({ chainId: 31337, to: registry, data });
});

it("performVeto makes the wallet switch from another network first, and then sends the veto", async () => {
  account.chainId = 1;
  expect(await run()).toEqual({ stage: "sent", id: hash });
  expect(steps).toEqual(["simulate", "switch", "send"]);
});

it("performVeto sends nothing if the switch is rejected, or if the wallet cannot switch", async () => {
  account.chainId = 1;
  wagmi.switchChain.mockRejectedValueOnce(Object.assign(new Error("rejected"), { code: 4001 }));
  expect(await run()).toEqual({ stage: "idle" });
  wagmi.switchChain.mockRejectedValueOnce(new Error("not supported"));
  expect(await run()).toEqual({ stage: "failed", reason: { code: "cannotSwitch", values: {} } });
  expect(steps).toEqual(["simulate", "simulate"]);
});
