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
