import { type ContentOf, defineMail } from "../mail/definition.ts";

/** Mails that answer an identity check. */
export const identityMails = {
  identity_verified: defineMail({ action: "action.account", page: "/account" }),
  /** `reason`: a code that the catalogs word, or the operator's own words. */
  identity_rejected: defineMail<{ reason: string }>({
    action: "identity_rejected.action",
    page: "/account",
    worded: { reason: "rejection" },
  }),
};
export type IdentityMail = ContentOf<typeof identityMails>;
