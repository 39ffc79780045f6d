import { decodeFunctionData, domainSeparator, encodeErrorResult, erc20Abi, type Hex } from "viem";
import { beforeEach, expect, test, vi } from "vitest";
import { demandVaultAbi } from "../../src/abi/DemandVault.ts";
import type { ChainClient } from "../../src/chain/client.ts";
import { ActionError } from "../../src/chain/errors.ts";
import type { Call, Order } from "../../src/chain/orders.ts";
import type { ProductTerms } from "../../src/chain/product-terms.ts";
import {
  type ActionStage,
  type Capabilities,
  runCall,
  runPayment,
  runSeries,
  type SentStage,
  type Session,
} from "../../src/chain/transaction.ts";

const owner = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const asset = "0xa5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5";
const contract = "0x1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d";
const assets = 100n;
const terms: ProductTerms = {
  ...({ contract, asset, identityRegistry: contract, queue: null } as const),
  ...{ shortId: "alps", name: "Alps", chainId: 31337, symbol: "USD", assetDecimals: 6, shareDecimals: 12 },
};
const order: Order = { action: "deposit", terms, owner, assets, minShares: 1n };
const units = { assetDecimals: 6, shareDecimals: 12 };

const refusal = Object.assign(new Error("wrapped"), {
  cause: Object.assign(new Error("User rejected the request."), { code: 4001 }),
});
const unsupported = Object.assign(new Error("no such method"), { code: 4200 });
const lacking = encodeErrorResult({
  abi: demandVaultAbi,
  errorName: "ERC20InsufficientAllowance",
  args: [contract, 0n, assets],
});
const revert = (data: Hex) => Object.assign(new Error("execution reverted"), { data });

/** State of the token and the wallet, and how each sent transaction ends. */
interface World {
  allowance: bigint;
  balance: bigint;
  permits: boolean;
  resetsFirst: boolean;
  atomic: "supported" | "ready" | null;
  ends: Exclude<SentStage, "pending">;
}
let world: World;
/** Requests to the chain and the wallet, in order. */
let log: string[];
let stages: ActionStage[];
let session: Session<string>;

/** A call in words: the amount of an approval, else the function of the vault. */
function named({ to, data }: Call): string {
  if (to !== asset) return decodeFunctionData({ abi: demandVaultAbi, data }).functionName;
  return `approve ${decodeFunctionData({ abi: erc20Abi, data }).args?.[1]}`;
}

async function simulated(call: Call): Promise<void> {
  const name = named(call);
  if (name === "approve 100" && world.resetsFirst && world.allowance > 0n) throw revert("0x13be252b");
  if (name === "deposit" && world.allowance < assets) throw revert(lacking);
}

const domain = { name: "Dollar", version: "1", chainId: 31337, verifyingContract: asset } as const;
const reads: Record<string, () => unknown> = {
  allowance: () => world.allowance,
  balanceOf: () => world.balance,
  nonces: () => 0n,
  name: () => domain.name,
  version: () => domain.version,
  DOMAIN_SEPARATOR: () => domainSeparator({ domain }),
};

beforeEach(() => {
  world = { allowance: 0n, balance: assets, permits: true, resetsFirst: false, atomic: null, ends: "confirmed" };
  [log, stages] = [[], []];
  const client = {
    // Permits without effect are remembered by account, so that each test starts anew with code of its own.
    getCode: async () => (world.permits ? undefined : "0x6080"),
    getBlock: async () => ({ timestamp: 1n }),
    readContract: async ({ functionName }: { functionName: string }) => {
      const read = reads[functionName];
      if (read === undefined) throw revert("0x");
      return read();
    },
    call: simulated,
  } as unknown as ChainClient;
  let sent = 0;
  session = {
    client,
    chainId: 31337,
    owner,
    wallet: {
      capabilities: async (): Promise<Record<number, Capabilities>> =>
        world.atomic === null ? {} : { 31337: { atomic: { status: world.atomic } } },
      send: vi.fn(async (call: Call): Promise<Hex> => {
        log.push(`send ${named(call)}`);
        return `0x${String(sent++)}`;
      }),
      sendBundle: vi.fn(async (calls: readonly Call[]) => {
        log.push(`bundle ${calls.map(named).join(", ")}`);
        return "bundle";
      }),
      signPermit: vi.fn(async (): Promise<Hex> => `0x${"11".repeat(32)}${"22".repeat(32)}1b`),
    },
    track: ({ about }) => log.push(`track ${about}`),
    settled: async () => {
      if (world.ends === "confirmed") {
        const amount = /approve (\d+)$/.exec(log.filter((entry) => entry.startsWith("send ")).at(-1) ?? "")?.[1];
        if (amount !== undefined) world.allowance = BigInt(amount);
      }
      return world.ends;
    },
    report: (stage) => stages.push(stage),
    now: () => 0,
    onFault: vi.fn(),
  };
});

async function pay() {
  const last = await runPayment({ order, about: "deposit", aboutApproval: (amount) => `approval ${amount}` }, session);
  expect(stages.at(-1)).toEqual(last);
  return stages.map((stage) => (stage.stage === "signing" ? `signing ${stage.what}` : stage.stage));
}
const sent = () => log.filter((entry) => !entry.startsWith("track "));

test("a deposit takes one permit, is simulated with it and sent", async () => {
  expect(await pay()).toEqual(["simulating", "signing permit", "simulating", "signing transaction", "sent"]);
  expect(log).toEqual(["send depositWithPermit", "track deposit"]);
});

test("a sufficient allowance is used without a permit", async () => {
  world.allowance = assets;
  expect(await pay()).toEqual(["simulating", "signing transaction", "sent"]);
  expect(sent()).toEqual(["send deposit"]);
});

const viaApproval = ["signing approval", "approving", "simulating", "signing transaction", "sent"];

test("a contract wallet approves the exact amount first", async () => {
  world.permits = false;
  expect(await pay()).toEqual(["simulating", ...viaApproval]);
  expect(log).toEqual(["send approve 100", "track approval 100", "send deposit", "track deposit"]);
});

test("a wallet that cannot sign typed data approves instead", async () => {
  vi.mocked(session.wallet.signPermit).mockRejectedValue(unsupported);
  expect(await pay()).toEqual(["simulating", "signing permit", ...viaApproval]);
});

test.each(["signPermit", "send"] as const)("a rejection of %s goes back to idle without a message", async (step) => {
  vi.mocked(session.wallet[step]).mockRejectedValue(refusal);
  const reported = await pay();
  expect(reported.at(-1)).toBe("idle");
  expect(reported).not.toContain("failed");
  expect(sent()).toEqual([]);
});

test("an error that no text explains is passed to onFault", async () => {
  world.allowance = assets;
  const fault = new TypeError("x is undefined");
  for (const error of [fault, new ActionError("walletChanged"), revert("0xdeadbeef")]) {
    vi.mocked(session.wallet.send).mockRejectedValueOnce(error);
    await pay();
  }
  expect(vi.mocked(session.onFault).mock.calls).toEqual([[fault]]);
});

test("nothing is signed when the balance does not suffice", async () => {
  world.balance = 1n;
  await pay();
  expect(stages.at(-1)).toMatchObject({ stage: "failed", reason: { code: "insufficientBalance" } });
  expect(session.wallet.signPermit).not.toHaveBeenCalled();
});

test("a failed approval ends the deposit before anything is paid", async () => {
  Object.assign(world, { permits: false, ends: "failed" });
  expect((await pay()).at(-1)).toBe("failed");
  expect(stages.at(-1)).toMatchObject({ reason: { code: "approvalFailed" } });
  expect(sent()).toEqual(["send approve 100"]);
});

test("a permit replaces an earlier allowance without a reset", async () => {
  Object.assign(world, { allowance: 1n, resetsFirst: true });
  await pay();
  expect(sent()).toEqual(["send depositWithPermit"]);
});

test("a failed reset ends the deposit before the approval", async () => {
  Object.assign(world, { allowance: 1n, resetsFirst: true, permits: false, ends: "replaced" });
  expect(await pay()).toEqual(["simulating", "signing reset", "waiting", "failed"]);
  expect(stages.at(-1)).toMatchObject({ reason: { code: "approvalReplaced" } });
  expect(sent()).toEqual(["send approve 0"]);
});

test("a wallet with batching is prompted once for allowance and payment together", async () => {
  world.atomic = "supported";
  expect(await pay()).toEqual(["simulating", "signing batch", "sent"]);
  expect(log).toEqual(["bundle approve 100, deposit", "track deposit"]);
  expect(session.wallet.signPermit).not.toHaveBeenCalled();
});

test("a permit is used when the wallet does not accept the batch after all", async () => {
  world.atomic = "supported";
  const noUpgrade = Object.assign(new Error("no upgrade"), { code: 5750 });
  vi.mocked(session.wallet.sendBundle).mockRejectedValue(noUpgrade);
  const permitted = ["signing permit", "simulating", "signing transaction", "sent"];
  expect(await pay()).toEqual(["simulating", "signing batch", "simulating", ...permitted]);
});

test("a wallet that needs an account upgrade for a batch is asked for a permit first", async () => {
  world.atomic = "ready";
  await pay();
  expect(session.wallet.sendBundle).not.toHaveBeenCalled();
  stages = [];
  world.permits = false;
  expect(await pay()).toEqual(["simulating", "signing batch", "sent"]);
});

test("a rejected batch goes back to idle and tries no other way", async () => {
  world.atomic = "supported";
  vi.mocked(session.wallet.sendBundle).mockRejectedValue(refusal);
  expect((await pay()).at(-1)).toBe("idle");
  expect(session.wallet.signPermit).not.toHaveBeenCalled();
});

const call = (name: string) => ({ call: { to: contract, data: name as Hex }, units, about: name }) as const;

/** Two steps, "0xa" and "0xb"; the named ones fail. */
async function series(failing: { simulate?: string; send?: string; ends?: World["ends"] } = {}) {
  const { client, wallet } = session;
  world.ends = failing.ends ?? "confirmed";
  client.call = (async ({ data }: Call) => {
    log.push(`simulate ${data}`);
    if (failing.simulate === data) throw revert("0xdeadbeef");
  }) as unknown as ChainClient["call"];
  wallet.send = async ({ data }) => {
    if (failing.send === data) throw refusal;
    log.push(`send ${data}`);
    return data;
  };
  wallet.sendBundle = async (calls) => {
    log.push(`bundle ${calls.map(({ data }) => data).join(" ")}`);
    return "bundle";
  };
  return runSeries([call("0xa"), call("0xb")], "both", session);
}

test("a call is simulated before the wallet is prompted", async () => {
  const { client, wallet } = session;
  client.call = async () => Promise.reject(revert("0xdeadbeef"));
  expect(await runCall(call("0xa"), session)).toMatchObject({ stage: "failed", reason: { code: "reverted" } });
  expect(wallet.send).not.toHaveBeenCalled();
});

test.each([
  [{ simulate: "0xa" }, undefined],
  [{ ends: "failed" }, undefined],
  [{ simulate: "0xb" }, true],
] as const)("a failure says whether an action before it is on chain: %o", async (failing, partDone) => {
  await series(failing);
  const last = stages.at(-1);
  expect(last?.stage === "failed" && last.partDone).toBe(partDone);
});

test("several actions are one bundle where the wallet supports batching", async () => {
  world.atomic = "supported";
  expect(await series()).toEqual({ stage: "sent", id: "bundle" });
  expect(log).toEqual(["simulate 0xa", "simulate 0xb", "bundle 0xa 0xb", "track both"]);
});

test("each action is requested only after the previous one is on chain if the wallet has no batching", async () => {
  expect(await series()).toEqual({ stage: "sent", id: "0xb" });
  expect(sent()).toEqual(["simulate 0xa", "send 0xa", "simulate 0xb", "send 0xb"]);
  expect(stages).toContainEqual({ stage: "waiting", id: "0xa", part: { index: 1, of: 2 } });
  expect(stages).toContainEqual({ stage: "signing", what: "transaction", part: { index: 2, of: 2 } });
});

test.each([
  ["failed", "partFailed"],
  ["replaced", "partReplaced"],
  ["dropped", "stepLost"],
] as const)("the next action is not requested after one that was %s", async (ends, code) => {
  expect(await series({ ends })).toMatchObject({ stage: "failed", reason: { code } });
  expect(sent()).toEqual(["simulate 0xa", "send 0xa"]);
});

test("a rejection of the second action keeps the first, without a message", async () => {
  expect(await series({ send: "0xb" })).toEqual({ stage: "idle" });
});
