// What forms and server both hold to, without the weight of the schemas.

/** Shortest and longest password, in Unicode code points. */
export const passwordLength = { min: 8, max: 128 } as const;
/** Digits of a code sent by e-mail. */
export const codeLength = 6;
/** Types of an identity document. The server looks at the content, not at the name. */
export const documentTypes = ["image/jpeg", "image/png", "application/pdf"] as const;
/** Largest identity document, bytes. */
export const documentSize = 8 * 1024 * 1024;
/** Youngest age to be verified, years. */
export const adultAge = 18;

/**
 * @example codePoints("🌊a") // 2
 */
export function codePoints(text: string): number {
  return [...text].length;
}

/** Why a submission is turned down, in a code that is worded in the reader's language. */
export const rejectionCodes = [
  "document_unreadable",
  "document_expired",
  "document_not_accepted",
  "details_differ",
  "country_not_served",
] as const;
export type RejectionCode = (typeof rejectionCodes)[number];

/**
 * Whether a reason is one of the codes, and not the operator's own words.
 * @example isRejectionCode("details_differ") // true
 */
export function isRejectionCode(reason: string): reason is RejectionCode {
  return (rejectionCodes as readonly string[]).includes(reason);
}
