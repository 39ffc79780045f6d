import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { receiptRendererAbi } from "@aqua/sdk/abi/ReceiptRenderer";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { revertData } from "@aqua/sdk/causes";
import { type AbiParameter, decodeErrorResult } from "viem";
import { momentText } from "./settingText.ts";

/** The errors of all contracts, because they call each other. */
const errors = [
  ...[accessManagerAbi, demandVaultAbi, identityRegistryAbi, productRegistryAbi, receiptRendererAbi],
  ...[redemptionQueueAbi, telemetryAnchorAbi, termDepositAbi, testDollarAbi],
].flatMap((abi) => abi.filter(({ type }) => type === "error"));

/** An error with which a contract refused a call. */
export interface Revert {
  name: string;
  inputs: readonly AbiParameter[];
  args: readonly unknown[];
}

/** Messages for errors of contracts, by the error's name. */
export type RevertWords = Record<string, (args: readonly unknown[]) => string>;

/** Reads the revert data anywhere in an error of a node. Null without any, and for an error that no contract of ours has. */
export function revertOf(error: unknown): Revert | null {
  const data = revertData(error);
  if (data === null) return null;
  try {
    const { errorName: name, args = [], abiItem } = decodeErrorResult({ abi: errors, data });
    return { name, args, inputs: "inputs" in abiItem ? abiItem.inputs : [] };
  } catch {
    // An error of another contract, such as the product's token.
    return null;
  }
}

const time = (seconds: unknown) => momentText(seconds as bigint);
const otherValue = "the contract refuses a value that is out of its bounds: docs/contracts.md";
const noRole = ([account]: readonly unknown[]) => `${account} does not hold the role that this call needs`;

/** Errors that an operator's call may meet, whatever it does. Commands have words of their own for others. */
const words: RevertWords = {
  AccessManagedUnauthorized: noRole,
  AccessManagedRequiredDelay: ([, seconds]) => `the account must schedule this call ${seconds} s before it makes it`,
  AccessManagerAlreadyScheduled: () => "the call is scheduled already; wait for its time",
  AccessManagerExpired: () => "the scheduled call was not made within a week and has expired; schedule it again",
  AccessManagerNotReady: () => "the delay of the scheduled call has not passed yet",
  AccessManagerNotScheduled: () => "the call is not scheduled, or its schedule was cancelled",
  AccessManagerUnauthorizedAccount: noRole,
  AccessManagerUnauthorizedCall: noRole,
  AccessManagerUnauthorizedCancel: noRole,
  AlreadyPaused: ([until]) => `deposits are paused already, until ${time(until)}`,
  ERC20InsufficientAllowance: () => "the sender has not allowed the contract to take this amount",
  ERC20InsufficientBalance: () => "the sender does not have this amount",
  Error: ([message]) => `the contract refuses it: ${message}`,
  EvidenceLapsed: ([since]) => `the evidence lapsed at ${time(since)}; renew it first`,
  InvalidParameters: () => otherValue,
  InvalidProduct: ([product]) => `${product} is no product's contract with this asset`,
  InvalidShortId: ([shortId]) => `"${shortId}" must have 1 to 32 characters of a–z, 0–9 and -`,
  NotPaused: () => "deposits are not paused",
  PauseTooSoon: ([from]) => `deposits were paused lately, and can be paused again from ${time(from)} on`,
  PausedLately: ([until]) =>
    `deposits are or were paused until ${time(until)}; 7 days after it they can be paused again`,
  ProductAlreadyListed: ([product]) => `${product} is listed already`,
  SafeERC20FailedOperation: ([token]) => `the token ${token} refuses the payment`,
  ShortIdTaken: ([shortId]) => `another product is listed as ${shortId}`,
  UnknownProduct: ([shortId]) => `no product is listed as ${shortId}`,
  UnknownTerm: ([id]) => `the product has no term ${id}`,
};

/** PauseTooSoon → "pause too soon"; ERC721NonexistentToken → "ERC721 nonexistent token". */
const inWords = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/(?<= )[A-Z](?=[a-z])|^[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());

/** Why a contract refuses a call: in words of `own`, in common words, or by the name and the values of its error. */
export function revertText({ name, inputs, args }: Revert, own: RevertWords = {}): string {
  const known = own[name] ?? words[name];
  if (known !== undefined) return known(args);
  const values = inputs.map(({ name: what }, place) => `${what} ${args[place]}`);
  return `the contract refuses it: ${inWords(name)}${values.length === 0 ? "" : ` (${values.join(", ")})`}`;
}

/** `revertText` of an error of a node; null where it names no error of a contract. */
export function revertTextOf(error: unknown): string | null {
  const revert = revertOf(error);
  return revert === null ? null : revertText(revert);
}
