import { type ContentOf, defineMail } from "../mail/definition.ts";

/** Mails about the result of an identity check. */
export const identityMails = {
  identity_verified: defineMail({ action: "action.account", page: "/account" }),
  /** `reason` is a code with a text in the catalogs, or the operator's own text. */
  identity_rejected: defineMail<{ reason: string }>({
    action: "identity_rejected.action",
    page: "/account",
    worded: { reason: "rejection" },
  }),
};
export type IdentityMail = ContentOf<typeof identityMails>;
