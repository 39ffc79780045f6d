import { z } from "zod";
import { country, identityStatus } from "./auth.ts";
import { time } from "./envelope.ts";
import { shownText } from "./text.ts";

/** Kinds of documents that a person may submit. */
export const documentKind = z.enum(
  ["passport", "identity_card", "residence_permit", "driving_licence"],
  "Choose a kind of document",
);
export type DocumentKind = z.infer<typeof documentKind>;

/** The fields of POST account/identity (multipart). The file goes in `document`. */
export const identityFields = z.object({
  name: shownText
    .trim()
    .min(2, "Enter the name as the document has it")
    .max(120, "A name has at most 120 characters")
    .regex(/^\P{Cc}*$/u, "Enter the name as the document has it"),
  /** Must be an adult's. The server checks it against today's date (UTC). */
  birth_date: z.iso.date("Enter a date of birth"),
  country,
  document_kind: documentKind,
});
export type IdentityFields = z.infer<typeof identityFields>;

/** GET account/identity. */
export const identity = z.object({
  status: identityStatus,
  /** The party that decides: an operator, the demo's sandbox, or an external provider. */
  provider: z.enum(["manual", "sandbox", "webhook"]),
  submitted_at: time.nullable(),
  decided_at: time.nullable(),
  /** The time until which the verification is valid. */
  valid_until: time.nullable(),
  reason: z.string().nullable(),
  /** Names for which the sandbox returns a given outcome. Empty without the sandbox. */
  sandbox_names: z.array(z.object({ name: z.string(), outcome: z.string() })),
});
export type Identity = z.infer<typeof identity>;
