import { type ContentOf, defineMail } from "../mail/definition.ts";
import type { MailNote } from "../mail/texts.ts";

/** Mails about the result of an identity check. */
export const identityMails = {
  /** `notes` say until when, and whether the account's wallet can deposit already. */
  identity_verified: defineMail<{ date: string; wallet?: string; notes: readonly MailNote[] }>({
    action: "action.account",
    page: "/account",
  }),
  /** `reason` is a code with a text in the catalogs, or the operator's own text. */
  identity_rejected: defineMail<{ reason: string }>({
    action: "identity_rejected.action",
    page: "/account",
    worded: { reason: "rejection" },
  }),
};
export type IdentityMail = ContentOf<typeof identityMails>;
