import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { explainError, explainRevert } from "@aqua/sdk/chain/errors";
import { isRefusal, isUnsupported } from "@aqua/sdk/chain/wallet-errors";
import { BaseError, ExecutionRevertedError, encodeErrorResult, HttpRequestError, InsufficientFundsError } from "viem";
import { expect, test } from "vitest";
import { reasonText } from "../../src/features/transact/progress/failure-reasons.ts";

const units = { assetDecimals: 6, shareDecimals: 12 };
const account = "0x4444444444444444444444444444444444444444";

test("reverts of the vault become reasons with amounts in whole units", () => {
  const below = encodeErrorResult({
    abi: demandVaultAbi,
    errorName: "BelowMinimumDeposit",
    args: [5_000_000n, 10_000_000n],
  });
  expect(explainRevert(below, units)).toEqual({
    code: "belowMinimum",
    values: { amount: "5.000000", min: "10.000000" },
  });
  expect(reasonText(explainRevert(below, units), "tUSD")).toBe("Minimum deposit: 10.00 tUSD.");

  const over = encodeErrorResult({
    abi: demandVaultAbi,
    errorName: "ERC4626ExceededMaxWithdraw",
    args: [account, 2_000_000_000n, 1_234_567_891n],
  });
  expect(reasonText(explainRevert(over, units), "tUSD")).toBe("Maximum withdrawal now: 1,234.567891 tUSD.");
});

test("a vault that accepts nothing at all is closed, not merely too full", () => {
  const closed = (max: bigint) =>
    encodeErrorResult({ abi: demandVaultAbi, errorName: "ERC4626ExceededMaxDeposit", args: [account, 9n, max] });
  expect(explainRevert(closed(0n), units).code).toBe("depositsClosed");
  expect(explainRevert(closed(1n), units).code).toBe("exceededMaxDeposit");
});

test.each([
  ["SlippageExceeded", [1n, 2n], "priceMoved"],
  ["ZeroAmount", [], "zeroAmount"],
  ["ERC7943CannotReceive", [account], "notVerified"],
  ["ERC7943CannotSend", [account], "frozen"],
  ["ExitOnlyToSelf", [account, account], "exitOnlyToSelf"],
])("%s has a reason of its own", (errorName, args, code) => {
  const data = encodeErrorResult({ abi: demandVaultAbi, errorName, args } as never);
  expect(explainRevert(data, units).code).toBe(code);
});

test("an early exit of more than a receipt has left names what it has", () => {
  const data = encodeErrorResult({
    abi: termDepositAbi,
    errorName: "AmountTooHigh",
    args: [1_000_000_000n, 600_000_000n],
  });
  expect(reasonText(explainRevert(data, units), "tUSD")).toBe("Your deposit: 600.00 tUSD.");
});

test.each([
  ["WalletNotVerified", "The new wallet is not verified on this chain."],
  ["WalletFrozen", "The wallet is frozen and cannot transfer."],
  ["WalletRetired", "One of the wallets was already replaced permanently."],
  ["WalletBoundToAnotherSubject", "The new wallet belongs to another identity on this chain."],
  ["InvalidWalletSignature", "The new wallet’s signature was rejected. Sign once more."],
  ["UnknownWallet", "This chain has no record of the wallet."],
] as const)("%s of a switch has a reason of its own", (errorName, text) => {
  const data = encodeErrorResult({ abi: identityRegistryAbi, errorName, args: [account] });
  expect(reasonText(explainRevert(data, units), "")).toBe(text);
});

test("revert data is found at any depth in the chain of causes", () => {
  const data = encodeErrorResult({
    abi: demandVaultAbi,
    errorName: "ERC20InsufficientBalance",
    args: [account, 1n, 2_000_000n],
  });
  const deep = new BaseError("outer", {
    cause: new BaseError("middle", { cause: Object.assign(new Error("rpc"), { data }) }),
  });
  expect(explainError(deep, units)).toEqual({
    code: "insufficientBalance",
    values: { balance: "0.000001", needed: "2.000000" },
  });
  const nested = Object.assign(new Error("rpc"), { data: { data } });
  expect(explainError(new BaseError("outer", { cause: nested }), units).code).toBe("insufficientBalance");
});

test("an unreachable node, missing gas and unknown errors are distinguished", () => {
  const http = new HttpRequestError({ url: "/rpc/31337", body: {} });
  expect(explainError(new BaseError("x", { cause: http }), units).code).toBe("chainUnavailable");
  const poor = new InsufficientFundsError({});
  expect(explainError(new BaseError("x", { cause: poor }), units).code).toBe("insufficientGas");
  const silent = new ExecutionRevertedError({});
  expect(explainError(new BaseError("x", { cause: silent }), units)).toEqual({
    code: "reverted",
    values: { detail: "" },
  });
  expect(explainError(new Error("odd"), units)).toEqual({ code: "unknown", values: { detail: "odd" } });
  expect(explainRevert("0xdeadbeef", units)).toEqual({ code: "reverted", values: { detail: "0xdeadbeef" } });
});

test("an unknown code still has a text", () => {
  expect(reasonText({ code: "from the future", values: {} }, "tUSD")).toBe(
    "The wallet or the network did not accept it. ",
  );
});

test("a rejection is found anywhere in the chain of causes, and a cycle of causes ends", () => {
  const inner = Object.assign(new Error("no"), { code: 4001 });
  expect(isRefusal(new BaseError("outer", { cause: new BaseError("middle", { cause: inner }) }))).toBe(true);
  expect(isRefusal(Object.assign(new Error("?"), { code: 5002 }))).toBe(true);
  for (const words of ["User rejected the request", "user denied transaction signature", "Cancelled by user"]) {
    expect(isRefusal(new Error(words)), words).toBe(true);
  }
  for (const words of ["execution reverted: user rejected", "the node rejected the sender", "user operation failed"]) {
    expect(isRefusal(new Error(words)), words).toBe(false);
  }
  expect(isRefusal(new Error("Connection request reset. Please try again."))).toBe(true);
  expect(isRefusal(Object.assign(new Error("busy"), { code: -32002 }))).toBe(false);
  const circle: Error & { cause?: unknown } = new Error("a");
  circle.cause = circle;
  expect(isRefusal(circle)).toBe(false);
  expect(isUnsupported(Object.assign(new Error("x"), { code: -32601 }))).toBe(true);
});
