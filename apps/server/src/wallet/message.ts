import { DAY_MS, MINUTE_MS } from "@aqua/sdk/durations";
import { switchStatement } from "@aqua/sdk/takeover";
import { type Hex, zeroAddress } from "viem";
import { createSiweMessage, generateSiweNonce, parseSiweMessage } from "viem/siwe";
import { StartRefused } from "../errors.ts";

/** How long a message may be signed by a key, milliseconds. */
const KEY_MS = 5 * MINUTE_MS;
/** The same for a contract wallet, whose signers may sit far apart and have to agree. */
const CONTRACT_MS = DAY_MS;
/** A message given out by another process whose clock is ahead is not refused. */
const CLOCK_SKEW_MS = 30_000;

export interface IssuedMessage {
  /** What the wallet signs, letter by letter. */
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
  /** What it is signed for. */
  purpose: Purpose;
  /** Whether a contract stands at the address. */
  isContract: boolean;
}

/** `switch`: to link the wallet in the place of another one of the account, for which the chain wants its own words. */
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

/** The EIP-4361 text by which a wallet is linked to an account, takes another's place in it, or signs in. */
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
    // Last, since the identity registry appends this line to what it is shown and checks the signature over both.
    ...(purpose.kind === "signIn" ? {} : { requestId: purpose.subject }),
  });
  return { message, nonce, expires };
}

/** @throws StartRefused when wallets could not be shown a message for this origin */
export function requireSignableOrigin(publicUrl: string): void {
  try {
    issueMessage({ publicUrl, address: zeroAddress, chainId: 1, purpose: { kind: "signIn" }, isContract: false });
  } catch {
    throw new StartRefused(
      "PUBLIC_URL must have a host wallets can sign for: a domain with a dot in it, an IPv4 address or localhost",
    );
  }
}

/** Whether the text says that its wallet takes the place of another one than `from`. */
export function switchesFromOther(message: string, from: Hex): boolean {
  const { statement } = parseSiweMessage(message);
  return /^Switch to this wallet from /.test(statement ?? "") && statement !== switchStatement(from);
}

export function nonceOf(message: string): string | null {
  return parseSiweMessage(message).nonce ?? null;
}

/** Whether the text is for this instance, wallet and chain, and for this moment. */
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

/** What precedes the subject's line: the part of a signed text the identity registry is shown. */
export function withoutRequestLine(message: string, subject: Hex): string {
  return message.slice(0, -`\nRequest ID: ${subject}`.length);
}
