import { type Hex, zeroAddress } from "viem";
import { createSiweMessage, generateSiweNonce, parseSiweMessage } from "viem/siwe";
import { StartRefused } from "../errors.ts";

/** How long a message may be signed, milliseconds. */
const MESSAGE_MS = 5 * 60_000;
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
  /** Whom the wallet is linked to; null to sign in with it. */
  subject: Hex | null;
}

/** The EIP-4361 text by which a wallet is linked to an account, or signs in. */
export function issueMessage({ publicUrl, address, chainId, subject }: MessageParts): IssuedMessage {
  const now = Date.now();
  const nonce = generateSiweNonce();
  const expires = now + MESSAGE_MS;
  const message = createSiweMessage({
    domain: new URL(publicUrl).host,
    uri: publicUrl,
    address,
    statement:
      subject === null
        ? "Sign in to Aqua with this wallet. This costs nothing and moves nothing."
        : "Link this wallet to your Aqua account. This costs nothing and moves nothing.",
    version: "1",
    chainId,
    nonce,
    issuedAt: new Date(now),
    expirationTime: new Date(expires),
    // Last, since the identity registry appends this line to what it is shown and checks the signature over both.
    ...(subject === null ? {} : { requestId: subject }),
  });
  return { message, nonce, expires };
}

/** @throws StartRefused when wallets could not be shown a message for this origin */
export function requireSignableOrigin(publicUrl: string): void {
  try {
    issueMessage({ publicUrl, address: zeroAddress, chainId: 1, subject: null });
  } catch {
    throw new StartRefused(
      "PUBLIC_URL must have a host wallets can sign for: a domain with a dot in it, an IPv4 address or localhost",
    );
  }
}

export function nonceOf(message: string): string | null {
  return parseSiweMessage(message).nonce ?? null;
}

/** Whether the text is for this instance, wallet and chain, and for this moment. */
export function isFor(
  message: string,
  { publicUrl, address, chainId }: Omit<MessageParts, "subject">,
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

/** What stands before the subject's line: the part of a signed text the identity registry is shown. */
export function withoutRequestLine(message: string, subject: Hex): string {
  return message.slice(0, -`\nRequest ID: ${subject}`.length);
}
