// Rules that forms and server share, without the bundle size of the schemas.

/** Shortest and longest password, in Unicode code points. */
export const passwordLength = { min: 8, max: 128 } as const;
/** Digits of a code sent by e-mail. */
export const codeLength = 6;
/** Types of an identity document. The server checks the content, not the file name. */
export const documentTypes = ["image/jpeg", "image/png", "application/pdf"] as const;
/** Largest identity document, bytes. */
export const documentSize = 8 * 1024 * 1024;
/** The operator's texts about this site, in the order in which they are shown. */
export const legalNames = ["terms", "privacy", "imprint", "contact"] as const;
export type LegalName = (typeof legalNames)[number];
/** Minimum age for verification, years. */
export const adultAge = 18;

/**
 * @example codePoints("🌊a") // 2
 */
export function codePoints(text: string): number {
  return [...text].length;
}

/** Longest e-mail address, characters (RFC 5321, 4.5.3.1.3). */
const emailLength = 254;
/** The HTML standard, "valid e-mail address": what precedes the @, and a label of the domain. */
const localPart = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/;
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * An e-mail address as it is stored: trimmed, in lower case since one mailbox is one account, its domain in ASCII (IDNA).
 * The rule is the HTML standard's, and the domain has a dot; browsers give a field of type email the same form.
 * @returns null for what is no address
 * @example emailAddress("User@bücher.example") // "user@xn--bcher-kva.example"
 */
export function emailAddress(text: string): string | null {
  const [local, domain, ...rest] = text.trim().toLowerCase().split("@");
  if (local === undefined || domain === undefined || rest.length > 0 || !localPart.test(local)) return null;
  // A domain has no character that ends a URL's host or is escaped in it.
  if (domain === "" || /[\s/\\:?#%[\]]/.test(domain) || !URL.canParse(`http://${domain}`)) return null;
  const labels = new URL(`http://${domain}`).hostname.split(".");
  // A last label of digits makes the host an IPv4 address.
  if (labels.length < 2 || !labels.every((label) => domainLabel.test(label)) || /^\d+$/.test(labels.at(-1) ?? "")) {
    return null;
  }
  const address = `${local}@${labels.join(".")}`;
  return address.length <= emailLength ? address : null;
}

/** Why a submission is rejected, as a code that is shown in the reader's language. */
export const rejectionCodes = [
  "document_unreadable",
  "document_expired",
  "document_not_accepted",
  "details_differ",
  "country_not_served",
] as const;
export type RejectionCode = (typeof rejectionCodes)[number];

/**
 * Whether a reason is one of the codes rather than the operator's own text.
 * @example isRejectionCode("details_differ") // true
 */
export function isRejectionCode(reason: string): reason is RejectionCode {
  return (rejectionCodes as readonly string[]).includes(reason);
}
