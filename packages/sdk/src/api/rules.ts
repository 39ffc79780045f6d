// Rules that forms and server share. They are separate from the schemas, so that forms do not load the schema library.

/** Shortest and longest password, in Unicode code points. */
export const passwordLength = { min: 8, max: 128 } as const;
/** Digits of a code sent by e-mail. */
export const codeLength = 6;
/** Types of an identity document. The server checks the content, not the file name. */
export const documentTypes = ["image/jpeg", "image/png", "application/pdf"] as const;
/** Largest identity document, in bytes. */
export const documentSize = 8 * 1024 * 1024;
/** The operator's texts about this site, in display order. */
export const legalNames = ["terms", "privacy", "imprint", "contact"] as const;
export type LegalName = (typeof legalNames)[number];
/** What the token of a named operator allows. `read` is every list but those about persons. */
export const operatorScopes = ["identity", "devices", "operations", "read"] as const;
export type OperatorScope = (typeof operatorScopes)[number];
/** Events that are sent to an operator's system, and the states of their delivery. */
export const webhookTypes = [
  "deposit",
  "withdrawal",
  "report",
  "anchor",
  "identity",
  "finding",
  "evidence",
  "evidence_until",
  "loss",
] as const;
export type WebhookType = (typeof webhookTypes)[number];
export const webhookStates = ["waiting", "delivered", "failed"] as const;
/** Minimum age for verification, in years. */
export const adultAge = 18;

/**
 * The number of Unicode code points of a text.
 * @example codePoints("🌊a") // 2
 */
export function codePoints(text: string): number {
  return [...text].length;
}

/** Longest e-mail address, in characters (RFC 5321, 4.5.3.1.3). */
const emailLength = 254;
/** A "valid e-mail address" of the HTML standard: the part before the @, and one label of the domain. */
const localPart = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/;
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Normalises an e-mail address to the form in which it is stored: trimmed, in lower case (one mailbox is one account),
 * with its domain in ASCII (IDNA). The rule is that of the HTML standard, and the domain must have a dot. Browsers
 * convert a field of type email in the same way.
 * @returns null if the text is not an e-mail address
 * @example emailAddress("User@bücher.example") // "user@xn--bcher-kva.example"
 */
export function emailAddress(text: string): string | null {
  const [local, domain, ...rest] = text.trim().toLowerCase().split("@");
  if (local === undefined || domain === undefined || rest.length > 0 || !localPart.test(local)) return null;
  // Rejects characters that end a URL's host or that are escaped in it.
  if (domain === "" || /[\s/\\:?#%[\]]/.test(domain) || !URL.canParse(`http://${domain}`)) return null;
  const labels = new URL(`http://${domain}`).hostname.split(".");
  // A last label that consists of digits makes the host an IPv4 address.
  if (labels.length < 2 || !labels.every((label) => domainLabel.test(label)) || /^\d+$/.test(labels.at(-1) ?? "")) {
    return null;
  }
  const address = `${local}@${labels.join(".")}`;
  return address.length <= emailLength ? address : null;
}

/** Codes for rejecting a submission. They are shown in the reader's language. */
export const rejectionCodes = [
  "document_unreadable",
  "document_expired",
  "document_not_accepted",
  "details_differ",
  "country_not_served",
] as const;
export type RejectionCode = (typeof rejectionCodes)[number];

/**
 * True if a reason is one of the codes, false if it is the operator's own text.
 * @example isRejectionCode("details_differ") // true
 */
export function isRejectionCode(reason: string): reason is RejectionCode {
  return (rejectionCodes as readonly string[]).includes(reason);
}
