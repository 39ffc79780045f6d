import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { callOf, type Order } from "@aqua/sdk/chain/orders";
import type { ActionStage } from "@aqua/sdk/chain/transaction";
import {
  type Abi,
  createClient,
  decodeFunctionData,
  defineChain,
  domainSeparator,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionResult,
  type Hex,
  http,
  keccak256,
  pad,
  parseAbi,
  toHex,
} from "viem";
import { beforeEach, expect, it, vi } from "vitest";
import { perform } from "../../src/wallet/chain/operations.ts";
import {
  getTransactions,
  nonceUnknown,
  storeTransaction,
  type TrackedTransaction,
} from "../../src/wallet/transactions.ts";

const owner = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const asset = "0xa5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5";
const contract = "0x1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d";
const url = "http://localhost/rpc/31337";
const chain = defineChain({
  id: 31337,
  name: "Local",
  nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
  rpcUrls: { default: { http: [url] } },
});

const terms = {
  shortId: "alps-hydro",
  name: "Alps Hydro",
  chainId: 31337,
  contract,
  asset,
  identityRegistry: "0x1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e",
  symbol: "USD",
  assetDecimals: 6,
  shareDecimals: 12,
  queue: null,
} as const;
const assets = 100_000_000n;
const order: Order = { action: "deposit", terms, owner, assets, minShares: 1n };

const tokenAbi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function approve(address, uint256) returns (bool)",
  "function name() view returns (string)",
  "function version() view returns (string)",
  "function nonces(address) view returns (uint256)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function PERMIT_TYPEHASH() view returns (bytes32)",
  "function eip712Domain() view returns (bytes1, string, string, uint256, address, bytes32, uint256[])",
  "error Error(string)",
  "error Panic(uint256)",
  "error SafeERC20FailedOperation(address)",
  "error ERC20InsufficientAllowance(address, uint256, uint256)",
]);
type TokenRead = "eip712Domain" | "name" | "version" | "DOMAIN_SEPARATOR" | "PERMIT_TYPEHASH";
const dollar = { name: "Dollar", version: "1", chainId: 31337, verifyingContract: asset } as const;
const eip2612 = keccak256(toHex("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"));
const daiTypehash = keccak256(
  toHex("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)"),
);

const revertedWith = (errorName: string, ...args: unknown[]) =>
  encodeErrorResult({ abi: tokenAbi as Abi, errorName, args });

/** Answers of the token and the vault on the fake node. */
interface World {
  allowance: bigint;
  /** Revert data of a payment without allowance; null: the node says "execution reverted" and nothing else. */
  lacking: Hex | null;
  /** Revert data of the vault before it takes the money; null if it does not revert. */
  objection: Hex | null;
  /** Answers of the token besides balance and allowance; it reverts on everything else. */
  reads: Partial<Record<TokenRead, unknown>>;
  /** Whether `approve` returns a boolean. */
  returnsBoolean: boolean;
  /** Whether `approve` reverts while an allowance is left. */
  resetsFirst: boolean;
  /** The call that the node does not answer, or answers with an error of its own. */
  silent: "deposit" | "approve" | null;
  /** Revert data of a payment whose permit grants no allowance, as from an account with code (EIP-7702). */
  permitRefusal: Hex | null;
  failing: "deposit" | null;
}
let world: World;

class NodeError extends Error {
  readonly answer: { code: number; message: string; data?: Hex };
  constructor(answer: { code: number; message: string; data?: Hex }) {
    super(answer.message);
    this.answer = answer;
  }
}

function revert(data: Hex | null): never {
  throw new NodeError({ code: 3, message: "execution reverted", ...(data === null ? {} : { data }) });
}

function ofToken(data: Hex): Hex {
  const { functionName, args } = decodeFunctionData({ abi: tokenAbi, data });
  const answer = (result: unknown) => encodeFunctionResult({ abi: tokenAbi as Abi, functionName, result });
  switch (functionName) {
    case "balanceOf":
      return answer(assets);
    case "allowance":
      return answer(world.allowance);
    case "nonces":
      return answer(0n);
    case "approve":
      if (world.silent === "approve") throw new TypeError("fetch failed");
      if (world.resetsFirst && world.allowance > 0n && args[1] > 0n) revert(null);
      return world.returnsBoolean ? answer(true) : "0x";
    default:
      return functionName in world.reads ? answer(world.reads[functionName]) : revert(null);
  }
}

function ofVault(data: Hex): Hex {
  const { functionName } = decodeFunctionData({ abi: demandVaultAbi, data });
  if (world.silent === "deposit") throw new TypeError("fetch failed");
  if (world.failing === "deposit") throw new NodeError({ code: -32603, message: "header not found" });
  if (world.objection !== null) revert(world.objection);
  if (functionName === "deposit" && world.allowance < assets) revert(world.lacking);
  if (functionName === "depositWithPermit" && world.permitRefusal !== null) revert(world.permitRefusal);
  return encodeAbiParameters([{ type: "uint256" }], [1n]);
}

function answerOf(method: string, params: readonly unknown[]): unknown {
  switch (method) {
    case "eth_call": {
      const { to, data } = params[0] as { to: string; data: Hex };
      return to.toLowerCase() === asset ? ofToken(data) : ofVault(data);
    }
    case "eth_getBlockByNumber":
      return { number: "0x1", timestamp: toHex(Math.floor(Date.now() / 1_000)), transactions: [] };
    case "eth_getCode":
      return "0x";
    case "eth_getTransactionCount":
      return "0x0";
    default:
      return null;
  }
}

async function fetchFn(_: unknown, init?: RequestInit): Promise<Response> {
  const { id, method, params } = JSON.parse(String(init?.body));
  try {
    return Response.json({ jsonrpc: "2.0", id, result: answerOf(method, params) });
  } catch (error) {
    if (error instanceof NodeError) return Response.json({ jsonrpc: "2.0", id, error: error.answer });
    throw error;
  }
}

const { wagmi } = vi.hoisted(() => ({
  wagmi: {
    getAccount: vi.fn(),
    getClient: vi.fn(),
    getCapabilities: vi.fn(),
    sendCalls: vi.fn(),
    sendTransaction: vi.fn(),
    signTypedData: vi.fn(),
  },
}));
vi.mock("wagmi/actions", async (original) => ({ ...(await original<object>()), ...wagmi }));
vi.mock("../../src/wallet/connect/config.ts", () => ({ prepareIsland: async () => ({ config: {} }) }));
// A sent transaction is mined at once.
vi.mock("../../src/wallet/track-transaction.ts", () => ({
  trackTransaction: (sent: TrackedTransaction) => {
    tracked.push(sent.description);
    storeTransaction({ ...sent, stage: unseen ? "pending" : "confirmed" });
  },
}));

let sent: string[] = [];
/** True if no node ever has the sent transaction. */
let unseen = false;
let tracked: string[] = [];

/** A call in one word: the amount of an approval, or the function of the vault. */
function described({ to, data }: { to: string; data: Hex }): string {
  if (to.toLowerCase() !== asset) return decodeFunctionData({ abi: demandVaultAbi, data }).functionName;
  const { args } = decodeFunctionData({ abi: tokenAbi, data });
  return `approve ${args?.[1]}`;
}

beforeEach(() => {
  localStorage.clear();
  [sent, tracked, unseen] = [[], [], false];
  vi.clearAllMocks();
  world = {
    allowance: 0n,
    lacking: revertedWith("ERC20InsufficientAllowance", contract, 0n, assets),
    objection: null,
    reads: {},
    returnsBoolean: true,
    resetsFirst: false,
    silent: null,
    permitRefusal: null,
    failing: null,
  };
  wagmi.getAccount.mockReturnValue({ address: owner });
  wagmi.getClient.mockImplementation(() => createClient({ chain, transport: http(url, { fetchFn, retryCount: 0 }) }));
  wagmi.getCapabilities.mockResolvedValue({});
  wagmi.signTypedData.mockResolvedValue(`0x${"11".repeat(32)}${"22".repeat(32)}1b`);
  wagmi.sendCalls.mockImplementation(async (_, { calls }) => {
    sent.push(...calls.map(described));
    return { id: "bundle" };
  });
  wagmi.sendTransaction.mockImplementation(async (_, call) => {
    sent.push(described(call));
    if (call.to === asset) {
      ofToken(call.data);
      world.allowance = decodeFunctionData({ abi: tokenAbi, data: call.data }).args?.[1] as bigint;
    }
    return toHex(sent.length, { size: 32 });
  });
});

async function pay() {
  const stages: ActionStage[] = [];
  const last = await perform([order], "alps-hydro", (stage) => stages.push(stage));
  return { last, stages: stages.map((stage) => (stage.stage === "signing" ? `signing ${stage.what}` : stage.stage)) };
}

const lacking = {
  "OpenZeppelin's error": revertedWith("ERC20InsufficientAllowance", contract, 0n, assets),
  "a text (USDC)": revertedWith("Error", "ERC20: transfer amount exceeds allowance"),
  "a text of its own (DAI)": revertedWith("Error", "Dai/insufficient-allowance"),
  "a panic": revertedWith("Panic", 0x11n),
  "an error of its own": "0x13be252b",
  "nothing (USDT)": revertedWith("SafeERC20FailedOperation", asset),
  "no revert data at all": null,
} as const;

it.each(Object.entries(lacking))(
  "runPayment pays in a token that reports a missing allowance by %s",
  async (_, data) => {
    world.lacking = data;
    expect((await pay()).last.stage).toBe("sent");
    expect(sent).toEqual(["approve 100000000", "deposit"]);
  },
);

it("runPayment stores the sent transaction with its call before it reads the chain again", async () => {
  world.allowance = assets;
  await pay();
  const [stored] = getTransactions(owner);
  expect(stored).toMatchObject({ nonce: nonceUnknown, call: { to: contract, data: callOf(order).data } });
});

it("runPayment continues once the allowance exists, even if a contract wallet returns a hash that never appears", async () => {
  unseen = true;
  expect((await pay()).last.stage).toBe("sent");
  expect(sent).toEqual(["approve 100000000", "deposit"]);
});

it("runPayment reports an unknown step if its hash never appears and there is no allowance", async () => {
  wagmi.sendTransaction.mockImplementation(async (_, call) => {
    sent.push(described(call));
    return toHex(sent.length, { size: 32 });
  });
  unseen = true;
  const paying = pay();
  await vi.waitFor(() => expect(getTransactions(owner)).toHaveLength(1));
  storeTransaction({ ...(getTransactions(owner)[0] as TrackedTransaction), stage: "dropped" });
  expect((await paying).last).toMatchObject({ stage: "failed", reason: { code: "stepLost" } });
  expect(sent).toEqual(["approve 100000000"]);
});

it("runPayment uses a permit for a token that reports a missing allowance by a text", async () => {
  world.lacking = lacking["a text (USDC)"];
  world.reads = { ...permitReads(), PERMIT_TYPEHASH: eip2612 };
  expect((await pay()).last.stage).toBe("sent");
  expect(sent).toEqual(["depositWithPermit"]);
});

it.each([
  ["the token reports a missing allowance", lacking["OpenZeppelin's error"], "0x01"],
  [
    "the contract says that it was refused",
    encodeErrorResult({ abi: termDepositAbi, errorName: "PermitRefused" }),
    "0x02",
  ],
] as const)(
  "runPayment approves the amount if a permit has no effect and %s, and asks for no other permit",
  async (_, data, wallet) => {
    const smart: Order = { ...order, owner: pad(wallet, { size: 20 }) };
    wagmi.getAccount.mockReturnValue({ address: smart.owner });
    world.permitRefusal = data;
    world.reads = { ...permitReads(), PERMIT_TYPEHASH: eip2612 };
    expect((await perform([smart], "alps-hydro", () => {})).stage).toBe("sent");
    expect(sent).toEqual(["approve 100000000", "deposit"]);
    world.allowance = 0n;
    await perform([smart], "alps-hydro", () => {});
    expect(wagmi.signTypedData).toHaveBeenCalledTimes(1);
  },
);

it("runPayment uses one batch for a token that reports a missing allowance by a text", async () => {
  world.lacking = lacking["a text (USDC)"];
  wagmi.getCapabilities.mockResolvedValue({ 31337: { atomic: { status: "supported" } } });
  expect((await pay()).stages).toEqual(["simulating", "signing batch", "sent"]);
  expect(sent).toEqual(["approve 100000000", "deposit"]);
});

const objections = [
  ["ERC4626ExceededMaxDeposit", [owner, assets, 1n], "exceededMaxDeposit"],
  ["BelowMinimumDeposit", [assets, assets + 1n], "belowMinimum"],
  ["SlippageExceeded", [1n, 2n], "priceMoved"],
  ["ERC7943CannotReceive", [owner], "notVerified"],
  // This error has no text of its own, and an allowance does not prevent it.
  ["EvidenceLapsed", [1n], "reverted"],
] as const;

it.each(objections)("runPayment asks the wallet for nothing if the vault reports %s", async (errorName, args, code) => {
  world.objection = encodeErrorResult({ abi: demandVaultAbi, errorName, args } as never);
  expect((await pay()).last).toMatchObject({ stage: "failed", reason: { code } });
  expect(sent).toEqual([]);
});

it("runPayment asks the wallet for nothing if the node does not answer or has its own error", async () => {
  world.silent = "deposit";
  expect((await pay()).last).toMatchObject({ stage: "failed", reason: { code: "chainUnavailable" } });
  [world.silent, world.failing] = [null, "deposit"];
  expect((await pay()).last).toMatchObject({ stage: "failed", reason: { code: "unknown" } });
  expect(sent).toEqual([]);
});

it("runPayment simulates in full once there is an allowance, and reports the token's objection", async () => {
  world.lacking = lacking["nothing (USDT)"];
  wagmi.sendTransaction.mockImplementation(async (_, call) => {
    sent.push(described(call));
    return toHex(sent.length, { size: 32 });
  });
  expect((await pay()).last).toMatchObject({ stage: "failed", reason: { code: "tokenRefused" } });
  expect(sent).toEqual(["approve 100000000"]);
});

function permitReads() {
  return { name: dollar.name, version: dollar.version, DOMAIN_SEPARATOR: domainSeparator({ domain: dollar }) };
}

const domain = ["0x0f", dollar.name, dollar.version, 31337n, asset, `0x${"00".repeat(32)}`, []];

it.each([
  ["its domain", permitReads()],
  ["ERC-5267", { eip712Domain: domain }],
])("runPayment asks for no permit if PERMIT_TYPEHASH is not that of EIP-2612, although %s fits", async (_, reads) => {
  world.reads = { ...reads, PERMIT_TYPEHASH: daiTypehash };
  await pay();
  expect(wagmi.signTypedData).not.toHaveBeenCalled();
  expect(sent).toEqual(["approve 100000000", "deposit"]);
});

it.each([
  ["its domain", permitReads()],
  ["ERC-5267", { eip712Domain: domain }],
])("runPayment asks for a permit if the token has no PERMIT_TYPEHASH and %s fits", async (_, reads) => {
  world.reads = reads;
  await pay();
  expect(sent).toEqual(["depositWithPermit"]);
});

it("runPayment expects no return value from a token whose approve returns nothing", async () => {
  Object.assign(world, { returnsBoolean: false, allowance: 1n });
  expect((await pay()).last.stage).toBe("sent");
  expect(sent).toEqual(["approve 100000000", "deposit"]);
});

it("runPayment resets a remaining allowance first if the token requires it, each step on chain before the next", async () => {
  Object.assign(world, {
    returnsBoolean: false,
    resetsFirst: true,
    allowance: 1n,
    lacking: lacking["nothing (USDT)"],
  });
  expect((await pay()).stages).toEqual([
    "simulating",
    "signing reset",
    "waiting",
    "signing approval",
    "approving",
    "simulating",
    "signing transaction",
    "sent",
  ]);
  expect(sent).toEqual(["approve 0", "approve 100000000", "deposit"]);
  expect(tracked.slice(0, 2)).toEqual(["Allowance of 0 USD", "Allowance of 100 USD"]);
});

it("runPayment resets a remaining allowance inside the batch", async () => {
  Object.assign(world, { resetsFirst: true, allowance: 1n });
  wagmi.getCapabilities.mockResolvedValue({ 31337: { atomic: { status: "supported" } } });
  await pay();
  expect(sent).toEqual(["approve 0", "approve 100000000", "deposit"]);
  expect(wagmi.sendCalls).toHaveBeenCalledOnce();
});

it("runPayment resets nothing if no allowance remains", async () => {
  world.resetsFirst = true;
  await pay();
  expect(sent).toEqual(["approve 100000000", "deposit"]);
});

it("runPayment resets nothing if the node does not answer whether a reset is needed", async () => {
  Object.assign(world, { allowance: 1n, silent: "approve" });
  expect((await pay()).last).toMatchObject({ stage: "failed", reason: { code: "chainUnavailable" } });
  expect(sent).toEqual([]);
});

it("runPayment pays at once if the allowance suffices", async () => {
  world.allowance = assets;
  await pay();
  expect(sent).toEqual(["deposit"]);
  expect(wagmi.sendTransaction.mock.lastCall?.[1]).toMatchObject(callOf(order));
});
