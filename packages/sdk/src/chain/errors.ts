import { BaseError, decodeErrorResult, type Hex, parseAbi } from "viem";
import { demandVaultAbi } from "../abi/DemandVault.ts";
import { identityRegistryAbi } from "../abi/IdentityRegistry.ts";
import { redemptionQueueAbi } from "../abi/RedemptionQueue.ts";
import { termDepositAbi } from "../abi/TermDeposit.ts";
import { revertData } from "../causes.ts";
import { formatUnits } from "../maths/units.ts";

/**
 * The reason why an action failed: a catalog key with its values. It is stored as data, so that it can be shown in any
 * language.
 */
export interface Reason {
  code: string;
  values: Record<string, string>;
}

/** An error that already has a reason. */
export class ActionError extends Error {
  readonly reason: Reason;
  constructor(code: string, values: Record<string, string> = {}, options?: ErrorOptions) {
    super(code, options);
    this.name = "ActionError";
    this.reason = { code, values };
  }
}

/** Errors of tokens that the contracts' own ABIs do not contain. */
const tokenErrors = parseAbi([
  "error ERC2612ExpiredSignature(uint256 deadline)",
  "error ERC2612InvalidSigner(address signer, address owner)",
  "error SafeERC20FailedOperation(address token)",
]);
const errorsAbi = [...demandVaultAbi, ...redemptionQueueAbi, ...termDepositAbi, ...identityRegistryAbi, ...tokenErrors];

/** The units of raw amounts in an error. */
export interface Units {
  assetDecimals: number;
  shareDecimals: number;
  /** True if the call moves shares. A missing balance is then in shares. */
  inShares?: boolean;
}

/**
 * Converts an error of simulation, signing or a receipt to a reason of the catalog, with amounts in whole units. Never
 * throws. An unrecognised error becomes `unknown` with its shortest message.
 */
export function explainError(error: unknown, units: Units): Reason {
  if (error instanceof ActionError) return error.reason;
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

/** Converts raw revert data to a reason of the catalog. */
export function explainRevert(data: Hex, units: Units): Reason {
  const decoded = decodeRevert(data);
  if (decoded === null) return { code: "reverted", values: { detail: data.slice(0, 10) } };
  const args = decoded.args ?? [];
  return (
    explainVault(decoded.errorName, args, units) ??
    explainTerm(decoded.errorName, args, units) ??
    explainSwitch(decoded.errorName) ?? { code: "reverted", values: { detail: decoded.errorName } }
  );
}

/** Decodes revert data. Null for an error that none of the contracts has. */
function decodeRevert(data: Hex): { errorName: string; args?: readonly unknown[] | undefined } | null {
  try {
    return decodeErrorResult({ abi: errorsAbi, data });
  } catch {
    return null;
  }
}

/** True if a contract rejected the call. False if the node, the network or the wallet failed. */
export function isRevert(error: unknown): boolean {
  if (revertData(error) !== null) return true;
  return error instanceof BaseError && causeNames(error).includes("ExecutionRevertedError");
}

/**
 * Errors known to `decodeRevert` with which a token reports a missing allowance. They include Solidity's own errors.
 */
const allowanceErrors = ["ERC20InsufficientAllowance", "SafeERC20FailedOperation", "Error", "Panic"];

/**
 * True if a payment may have reverted only because its allowance is missing. Only tokens of OpenZeppelin 5 have an
 * error for that. Others revert with a text, a panic, their own error or no data, which SafeERC20 replaces with its own
 * error.
 */
export function mayLackAllowance(error: unknown): boolean {
  const data = revertData(error);
  if (data === null) return isRevert(error);
  const name = decodeRevert(data)?.errorName;
  return name === undefined || allowanceErrors.includes(name);
}

const permitErrors = ["PermitRefused", "ERC2612ExpiredSignature", "ERC2612InvalidSigner"];

/** True if a payment with a permit may have reverted because the permit gave no allowance. */
export function mayLackPermit(error: unknown): boolean {
  const data = revertData(error);
  const name = data === null ? undefined : decodeRevert(data)?.errorName;
  return mayLackAllowance(error) || (name !== undefined && permitErrors.includes(name));
}

type Explained = Reason | null;

/** Explains errors of vault, queue and token. Null for others. */
function explainVault(error: string, args: readonly unknown[], units: Units): Explained {
  const assets = (index: number) => formatUnits(BigInt(args[index] as bigint), units.assetDecimals);
  const shares = (index: number) => formatUnits(BigInt(args[index] as bigint), units.shareDecimals);
  switch (error) {
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
      return units.inShares
        ? { code: "insufficientShares", values: { shares: shares(1), needed: shares(2) } }
        : { code: "insufficientBalance", values: { balance: assets(1), needed: assets(2) } };
    case "ERC20InsufficientAllowance":
      return { code: "insufficientAllowance", values: { allowance: assets(1), needed: assets(2) } };
    case "TooManyPlaces":
      return { code: "tooManyPlaces", values: { most: String(args[0]) } };
    default:
      return plain(error, {
        SlippageExceeded: "priceMoved",
        ZeroAmount: "zeroAmount",
        UnexpectedAmountReceived: "tokenTookFee",
        SafeERC20FailedOperation: "tokenRefused",
        ERC7943CannotReceive: "notVerified",
        ERC7943CannotSend: "frozen",
        CannotAct: "frozen",
        ExitOnlyToSelf: "exitOnlyToSelf",
        ExceedsClaimable: "nothingToClaim",
        ERC2612ExpiredSignature: "permitInvalid",
        ERC2612InvalidSigner: "permitInvalid",
        PermitRefused: "permitInvalid",
      });
  }
}

/** Explains errors of time deposits. Null for others. */
function explainTerm(error: string, args: readonly unknown[], { assetDecimals }: Units): Explained {
  const assets = (index: number) => formatUnits(BigInt(args[index] as bigint), assetDecimals);
  /** A time of the error in Unix milliseconds, `later` seconds after the given one. */
  const time = (index: number, later = 0) => String((Number(args[index]) + later) * 1_000);
  switch (error) {
    case "CapExceeded":
      return { code: "capExceeded", values: { amount: assets(0), max: assets(1) } };
    case "ReserveExhausted":
      return { code: "interestNotFunded", values: { needed: assets(0), max: assets(1) } };
    case "InsufficientCash":
      return { code: "noCash", values: { needed: assets(0), max: assets(1) } };
    case "MaturityTooLate":
      return { code: "maturityTooLate", values: { time: time(0) } };
    case "AmountTooHigh":
      return { code: "overPrincipal", values: { amount: assets(0), max: assets(1) } };
    case "PausedLately":
      return { code: "paused", values: { time: time(0) } };
    case "DemandedAlready":
      return { code: "demandedAlready", values: { time: time(1, demandGrace) } };
    case "StatusNotAllowed":
      return { code: receiptStatus(Number(args[0])), values: {} };
    default:
      return plain(error, {
        EarnsNothing: "earnsNothing",
        UnknownTerm: "termNotOpen",
        TermNotOpen: "termNotOpen",
        ProductNotOpen: "productClosed",
        RateBelowMinimum: "rateBelowMinimum",
        ProductWindingDown: "windingDown",
        NothingToClaim: "nothingToClaim",
        NothingToDemand: "nothingToDemand",
        ERC721NonexistentToken: "receiptGone",
        ERC721InsufficientApproval: "notYourReceipt",
      });
  }
}

/** Explains errors of a switch or a recovery from one wallet to another. Null for others. */
function explainSwitch(error: string): Explained {
  return plain(error, {
    WalletNotVerified: "switchNotVerified",
    WalletFrozen: "switchFrozen",
    WalletRetired: "switchRetired",
    WalletBoundToAnotherSubject: "switchOtherIdentity",
    InvalidWalletSignature: "switchSignature",
    UnknownWallet: "switchUnknown",
    NoSuccessor: "switchFirst",
    ERC721IncorrectOwner: "movedAlready",
    NoRecovery: "noRecovery",
  });
}

/** Seconds that a demanded payment may be late: DEMAND_GRACE of the contract. */
const demandGrace = 3 * 86_400;

/** The reason why a receipt in this status rejects a call that requires another status. */
function receiptStatus(status: number): string {
  if (status === 1) return "notMatured";
  return status === 2 ? "maturedMeanwhile" : "receiptGone";
}

function plain(error: string, codes: Record<string, string>): Explained {
  const code = Object.hasOwn(codes, error) ? codes[error] : undefined;
  return code === undefined ? null : { code, values: {} };
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
