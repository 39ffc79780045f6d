import type { RejectionCode } from "@aqua/sdk/api/rules";

/** Every kind of mail with its values. Values are text as a person should read it; rendering escapes them. */
export type MailContent =
  /** The code that proves an address when registering or when setting a new password. */
  | { kind: "register_code"; code: string }
  | { kind: "reset_code"; code: string }
  /** Someone tried to register with an address that has an account. */
  | { kind: "account_exists" }
  | { kind: "password_changed" }
  | { kind: "wallet_linked"; address: string }
  /** `address` took the place of `former`. */
  | { kind: "wallet_switched"; address: string; former: string }
  | { kind: "identity_verified" }
  /** `reason`: a code that is worded in the mail's language, or the operator's own words. */
  | { kind: "identity_rejected"; reason: string };

export type MailKind = MailContent["kind"];

/** How long a code in a mail counts. */
export const codeMinutes = 10;

/** `{name}` stands for a value of the mail, or for `{host}`, where people reach this instance. */
export interface MailText {
  subject: string;
  paragraphs: string[];
  /** What the link to a page of the app says. */
  action?: string;
}
export interface MailTexts {
  mails: Record<MailKind, MailText>;
  rejections: Record<RejectionCode, string>;
  /** Why this mail came. */
  footer: string;
}
