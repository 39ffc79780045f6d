import { HOUR_MS } from "@aqua/sdk/durations";
import { recoveryStatement, shownParts } from "@aqua/sdk/takeover";
import { type Address, getAddress, type Hex, isAddress } from "viem";
import { createSiweMessage, generateSiweNonce, parseSiweMessage } from "viem/siwe";
import { CommandError } from "./api.ts";

/** The message that the new wallet signs, and the parts of it that are sent to the identity registry. */
export interface SignedParts {
  oldWallet: Address;
  newWallet: Address;
  subject: Hex;
  chainId: number;
  domain: string;
  expires: Date;
  /** Text up to the line break before the old wallet's line, and text after that line up to the subject's line. */
  before: string;
  afterwards: string;
}

interface MessageParameters {
  url: URL;
  chainId: number;
  oldWallet: Address;
  newWallet: Address;
  subject: Hex;
  validHours: number;
  now?: Date;
}

/**
 * Returns the EIP-4361 text by which `newWallet` replaces a wallet whose key is lost. `IdentityRegistry` explains its
 * form.
 */
export function recoveryMessage(parameters: MessageParameters): string {
  const { url, chainId, oldWallet, newWallet, subject, validHours, now = new Date() } = parameters;
  return createSiweMessage({
    domain: url.host,
    uri: url.origin,
    address: getAddress(newWallet),
    version: "1",
    chainId,
    statement: recoveryStatement(oldWallet),
    nonce: generateSiweNonce(),
    issuedAt: now,
    expirationTime: new Date(now.getTime() + validHours * HOUR_MS),
    requestId: subject,
  });
}

/**
 * Splits a signed text into its parts.
 * @throws CommandError when it is not the text of a recovery
 */
export function partsOf(message: string): SignedParts {
  const fields = parseSiweMessage(message);
  const oldWallet = /^Recover to this wallet from (0x[0-9a-f]{40})\.$/.exec(fields.statement ?? "")?.[1];
  const { address, chainId, domain, expirationTime, requestId } = fields;
  const wrong = new CommandError("the message differs from the text that `aqua recovery message` wrote");
  if (oldWallet === undefined || !isAddress(oldWallet)) throw wrong;
  if (!address || !chainId || !domain || !expirationTime || !/^0x[0-9a-f]{32}$/.test(requestId ?? "")) throw wrong;
  const shown = shownParts(message, recoveryStatement(oldWallet));
  if (shown === null) throw wrong;
  return {
    oldWallet: getAddress(oldWallet),
    newWallet: address,
    subject: requestId as Hex,
    chainId,
    domain,
    expires: expirationTime,
    ...shown,
  };
}
