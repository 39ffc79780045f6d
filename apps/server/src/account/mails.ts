import { type ContentOf, defineMail } from "../mail/definition.ts";
import type { MailNote } from "../mail/texts.ts";

/** Origin of an attempt: browser and system, null for an unknown program, and the network. */
interface Where {
  device: string | null;
  place: string;
}
/** `minutes`: how long the code is valid. */
interface Code {
  code: string;
  minutes: number;
}
/** A second factor, named by its kind: its own name was chosen in the session that the mail may warn of. */
interface Factor {
  factor: "passkey" | "totp";
}

const opensAccount = { action: "action.account", page: "/account#security" } as const;
const opensPassword = { action: "action.new_password", page: "/forgot-password" } as const;
const device = { worded: { device: "device" } };
const factor = { worded: { factor: "factor" } };

/** Mails about the ways into an account, and about attempts to use them. */
export const accountMails = {
  /** The code that proves an address when registering or when setting a new password. */
  register_code: defineMail<Code>(),
  reset_code: defineMail<Code>(),
  /** The code that confirms the owner before a sensitive change. */
  confirm_code: defineMail<Code>(),
  /** The code that proves a new address. */
  change_email_code: defineMail<Code>(),
  /** Sent when someone registers with an address that already has an account. */
  account_exists: defineMail({ action: "account_exists.action", page: "/sign-in" }),
  /** `wallet` can still be used to log in; a note in the mail says so. */
  password_changed: defineMail<{ wallet?: string; notes?: readonly MailNote[] }>(opensPassword),
  /** The password was changed from within the account: the device used stays logged in. */
  password_replaced: defineMail(opensPassword),
  /** Sent to the former address. */
  email_changed: defineMail<{ email: string }>({ action: "email_changed.action", page: "/about#contact" }),
  new_device: defineMail<{ time: string } & Where>({ ...opensAccount, ...device }),
  /** Someone entered the right password and was asked for a second factor. */
  password_entered: defineMail<{ time: string } & Where>({ ...opensPassword, ...device }),
  many_failures: defineMail<{ count: string } & Where>({ ...opensAccount, ...device }),
  exported: defineMail(opensAccount),
  factor_added: defineMail<Factor>({ ...opensAccount, ...factor }),
  factor_removed: defineMail<Factor>({ ...opensAccount, ...factor }),
  recovery_codes_made: defineMail(opensAccount),
  recovery_code_used: defineMail<{ left: string }>(opensAccount),
};
export type AccountMail = ContentOf<typeof accountMails>;
