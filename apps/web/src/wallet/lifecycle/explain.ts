import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { formatUnits } from "@aqua/sdk/maths/units";
import { BaseError, decodeErrorResult, type Hex, parseAbi } from "viem";
import type { Reason } from "../transactions.ts";

/** Errors of tokens the vault's own ABI does not name. */
const tokenErrors = parseAbi([
  "error ERC2612ExpiredSignature(uint256 deadline)",
  "error ERC2612InvalidSigner(address signer, address owner)",
  "error SafeERC20FailedOperation(address token)",
]);
const errorsAbi = [...demandVaultAbi, ...tokenErrors];

/** How raw amounts in an error are to be read. */
export interface Units {
  assetDecimals: number;
  shareDecimals: number;
}

/**
 * Puts an error of simulation, signing or a receipt into a sentence of the catalog, amounts in whole units.
 * Never throws; what it does not know becomes `unknown` with the shortest message there is.
 */
export function explainError(error: unknown, units: Units): Reason {
  const data = revertData(error);
  if (data !== null) return explainRevert(data, units);
  if (!(error instanceof BaseError)) return unknownReason(error);
  const names = causeNames(error);
  if (names.includes("ExecutionRevertedError")) return { code: "reverted", values: { detail: "" } };
  if (names.includes("InsufficientFundsError")) return { code: "insufficientGas", values: {} };
  if (names.includes("HttpRequestError") || names.includes("TimeoutError"))
    return { code: "chainUnavailable", values: {} };
  if (names.includes("ConnectorChainMismatchError") || names.includes("ChainMismatchError"))
    return { code: "wrongNetwork", values: {} };
  if (names.includes("NonceTooLowError") || names.includes("NonceTooHighError")) return { code: "nonce", values: {} };
  return unknownReason(error);
}

/** The same for the raw data of a revert. */
export function explainRevert(data: Hex, { assetDecimals, shareDecimals }: Units): Reason {
  let decoded: { errorName: string; args?: readonly unknown[] | undefined };
  try {
    decoded = decodeErrorResult({ abi: errorsAbi, data }) as typeof decoded;
  } catch {
    return { code: "reverted", values: { detail: data.slice(0, 10) } };
  }
  const args = decoded.args ?? [];
  const assets = (index: number) => formatUnits(BigInt(args[index] as bigint), assetDecimals);
  const shares = (index: number) => formatUnits(BigInt(args[index] as bigint), shareDecimals);
  switch (decoded.errorName) {
    case "ERC4626ExceededMaxDeposit":
      return args[2] === 0n
        ? { code: "depositsClosed", values: {} }
        : { code: "exceededMaxDeposit", values: { amount: assets(1), max: assets(2) } };
    case "ERC4626ExceededMaxWithdraw":
      return { code: "exceededMaxWithdraw", values: { amount: assets(1), max: assets(2) } };
    case "ERC4626ExceededMaxRedeem":
      return { code: "exceededMaxRedeem", values: { shares: shares(1), maxShares: shares(2) } };
    case "BelowMinimumDeposit":
      return { code: "belowMinimum", values: { amount: assets(0), min: assets(1) } };
    case "ERC20InsufficientBalance":
      return { code: "insufficientBalance", values: { balance: assets(1), needed: assets(2) } };
    case "ERC20InsufficientAllowance":
      return { code: "insufficientAllowance", values: { allowance: assets(1), needed: assets(2) } };
    case "SlippageExceeded":
      return { code: "priceMoved", values: {} };
    case "ZeroAmount":
      return { code: "zeroAmount", values: {} };
    case "ERC7943CannotReceive":
      return { code: "notVerified", values: {} };
    case "ERC7943CannotSend":
      return { code: "frozen", values: {} };
    case "ExitOnlyToSelf":
      return { code: "exitOnlyToSelf", values: {} };
    case "ERC2612ExpiredSignature":
    case "ERC2612InvalidSigner":
      return { code: "permitInvalid", values: {} };
    default:
      return { code: "reverted", values: { detail: decoded.errorName } };
  }
}

function unknownReason(error: unknown): Reason {
  const message = error instanceof BaseError ? error.shortMessage : error instanceof Error ? error.message : "";
  return { code: "unknown", values: { detail: message.slice(0, 200) } };
}

function causeNames(error: BaseError): string[] {
  const names: string[] = [];
  error.walk((cause) => {
    names.push((cause as Error).name);
    return false;
  });
  return names;
}

/** The revert data anywhere in the chain of causes. Nodes and viem put it at different depths. */
function revertData(error: unknown): Hex | null {
  const seen = new Set<unknown>();
  let current = error;
  while (typeof current === "object" && current !== null && !seen.has(current)) {
    seen.add(current);
    const { data, raw, cause } = current as { data?: unknown; raw?: unknown; cause?: unknown };
    for (const value of [raw, data, (data as { data?: unknown } | null | undefined)?.data]) {
      if (typeof value === "string" && /^0x[0-9a-fA-F]{8,}$/.test(value)) return value as Hex;
    }
    current = cause;
  }
  return null;
}
