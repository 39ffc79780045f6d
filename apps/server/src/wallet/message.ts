import { DAY_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { switchStatement } from "@aqua/sdk/takeover";
import { type Hex, zeroAddress } from "viem";
import { createSiweMessage, generateSiweNonce, parseSiweMessage } from "viem/siwe";
import { StartRefused } from "../errors.ts";

/** Milliseconds for which a key may sign a message. */
const KEY_MS = 5 * MINUTE_MS;
/** Milliseconds for which a contract wallet may sign a message. Its signers may be far apart and have to agree. */
const CONTRACT_MS = DAY_MS;
/** Allowed lead of another process's clock. A message issued by that process is still accepted. */
const CLOCK_SKEW_MS = 30_000;

export interface IssuedMessage {
  /** The exact text that the wallet signs. */
  message: string;
  nonce: string;
  /** Unix milliseconds. */
  expires: number;
}

export interface MessageParts {
  /** Origin of this instance. */
  publicUrl: string;
  address: Hex;
  chainId: number;
  /** Purpose of the signature. */
  purpose: Purpose;
  /** True if there is a contract at the address. */
  isContract: boolean;
}

/**
 * `switch` links the wallet in place of another wallet of the account. The chain requires a separate wording for it.
 */
export type Purpose = { kind: "signIn" } | { kind: "link"; subject: Hex } | { kind: "switch"; subject: Hex; from: Hex };

function statementOf(purpose: Purpose): string {
  switch (purpose.kind) {
    case "signIn":
      return "Sign in to Aqua with this wallet. This costs nothing and moves nothing.";
    case "link":
      return "Link this wallet to your Aqua account. This costs nothing and moves nothing.";
    case "switch":
      return switchStatement(purpose.from);
  }
}

/**
 * Creates the EIP-4361 text that links a wallet to an account, replaces another wallet of the account, or logs in.
 */
export function issueMessage({ publicUrl, address, chainId, purpose, isContract }: MessageParts): IssuedMessage {
  const now = Date.now();
  const nonce = generateSiweNonce();
  const expires = now + (isContract ? CONTRACT_MS : KEY_MS);
  const message = createSiweMessage({
    domain: new URL(publicUrl).host,
    uri: publicUrl,
    address,
    statement: statementOf(purpose),
    version: "1",
    chainId,
    nonce,
    issuedAt: new Date(now),
    expirationTime: new Date(expires),
    // This line comes last, because the identity registry appends it to the text that it receives and checks the
    // signature over both.
    ...(purpose.kind === "signIn" ? {} : { requestId: purpose.subject }),
  });
  return { message, nonce, expires };
}

/** @throws StartRefused if a message for this origin cannot be created */
export function requireSignableOrigin(publicUrl: string): void {
  try {
    issueMessage({ publicUrl, address: zeroAddress, chainId: 1, purpose: { kind: "signIn" }, isContract: false });
  } catch {
    throw new StartRefused(
      "PUBLIC_URL must have a host wallets can sign for: a domain with a dot in it, an IPv4 address or localhost",
    );
  }
}

/** Returns whether the text says that its wallet replaces a wallet other than `from`. */
export function switchesFromOther(message: string, from: Hex): boolean {
  const { statement } = parseSiweMessage(message);
  return /^Switch to this wallet from /.test(statement ?? "") && statement !== switchStatement(from);
}

export function nonceOf(message: string): string | null {
  return parseSiweMessage(message).nonce ?? null;
}

/** Returns whether the text is for this instance, wallet and chain, and currently valid. */
export function isFor(
  message: string,
  { publicUrl, address, chainId }: Omit<MessageParts, "purpose" | "isContract">,
  now = Date.now(),
): boolean {
  const fields = parseSiweMessage(message);
  return (
    fields.domain === new URL(publicUrl).host &&
    fields.uri === publicUrl &&
    fields.version === "1" &&
    fields.chainId === chainId &&
    fields.address?.toLowerCase() === address.toLowerCase() &&
    fields.issuedAt !== undefined &&
    fields.issuedAt.getTime() <= now + CLOCK_SKEW_MS &&
    fields.expirationTime !== undefined &&
    fields.expirationTime.getTime() > now
  );
}

/**
 * Returns the text before the subject's line. This is the part of a signed text that the identity registry receives.
 */
export function withoutRequestLine(message: string, subject: Hex): string {
  return message.slice(0, -`\nRequest ID: ${subject}`.length);
}
