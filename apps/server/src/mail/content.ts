import type { RejectionCode } from "@aqua/sdk/api/rules";

/** Every kind of mail with its values. Values are text as a person should read it; rendering escapes them. */
export type MailContent =
  /** The code that proves an address when registering or when setting a new password. */
  | { kind: "register_code"; code: string }
  | { kind: "reset_code"; code: string }
  /** Someone tried to register with an address that has an account. */
  | { kind: "account_exists" }
  /** `wallet` can still be used to log in, which a note says. */
  | { kind: "password_changed"; wallet?: string; notes?: readonly MailNote[] }
  | { kind: "wallet_linked" | "wallet_unlinked"; address: string }
  /** `address` took the place of `former`. */
  | { kind: "wallet_switched"; address: string; former: string }
  | SecurityContent
  | { kind: "identity_verified" }
  /** `reason`: a code that is worded in the mail's language, or the operator's own words. */
  | { kind: "identity_rejected"; reason: string }
  | NoticeContent;

/** Where something came from: browser and system, and the network. */
interface Where {
  /** Null where the program is not known. */
  device: string | null;
  place: string;
}

/** A second factor by its kind: its own name was chosen in the session the mail may warn of. */
export type FactorName = "passkey" | "totp";

/** What an owner is to know of the ways into the account, and of attempts at them. */
export type SecurityContent =
  /** The code that proves the owner before something that matters. */
  | { kind: "confirm_code"; code: string }
  /** The code that proves a new address. */
  | { kind: "change_email_code"; code: string }
  /** Goes to the former address. */
  | { kind: "email_changed"; email: string }
  /** Changed from within the account: this device stays logged in. */
  | { kind: "password_replaced" }
  | ({ kind: "new_device"; time: string } & Where)
  /** The password was right and a second factor was asked for. */
  | ({ kind: "password_entered"; time: string } & Where)
  | ({ kind: "many_failures"; count: string } & Where)
  | { kind: "exported" }
  | { kind: "factor_added" | "factor_removed"; factor: FactorName }
  | { kind: "recovery_codes_made" }
  | { kind: "recovery_code_used"; left: string }
  /** `path` stops it; `time`: from when the chain records it. */
  | { kind: "switch_waits"; address: string; former: string; time: string; path: string }
  | { kind: "switch_stopped"; address: string; former: string };

/** Where on chain a notice's facts were read, as a person reads it. */
export interface Figures {
  block: string;
  chain: string;
  read: string;
}

/** What a notice links to and adds to its text. */
interface NoticeParts {
  /** Page of the app that the link opens. */
  path: string;
  notes?: readonly MailNote[];
}

interface RecoveryContent extends NoticeParts, Figures {
  wallet: string;
  successor: string;
}
interface ProposedRecovery extends RecoveryContent {
  proposed: string;
  from: string;
  until: string;
}
/** `exit`: when the reader could be out; left out where it is unknown, which a note explains. */
interface OwnerChange extends NoticeParts, Figures {
  product: string;
  from: string;
  exit?: string;
}
interface Maturity extends NoticeParts, Figures {
  product: string;
  receipt: string;
  wallet: string;
  date: string;
  maturity: string;
  principal: string;
  interest: string;
}

/** Mails about money, identity and acts of role holders: what an account is notified of without a request of its own. */
export type NoticeContent =
  | ({ kind: "recovery_proposed" | "recovery_pending" } & ProposedRecovery)
  | ({ kind: "recovery_executed"; time: string } & RecoveryContent)
  | ({ kind: "fee_change"; fee: string; formerFee: string } & OwnerChange)
  | ({ kind: "custodian_change"; custodian: string; formerCustodian: string } & {
      buffer: string;
      formerBuffer: string;
    } & OwnerChange)
  | ({ kind: "withdrawal_ready"; product: string; amount: string; wallet: string } & NoticeParts & Figures)
  | ({ kind: "deposit_matures" | "deposit_maturity_day" } & Maturity)
  | ({ kind: "identity_expires"; date: string } & NoticeParts)
  | ({ kind: "evidence_expires"; product: string; date: string } & NoticeParts & Figures)
  | ({ kind: "income_digest"; month: string; lines: readonly IncomeLine[] } & NoticeParts & Figures);

export interface IncomeLine {
  product: string;
  earned: string;
  value: string;
}

/** Sentences that a mail adds where they are true. */
export const mailNotes = [
  "custodian_new",
  "buffer_new",
  "exit_by",
  "exit_now",
  "exit_no_estimate",
  "exit_restricted",
  "withdrawal_part",
  "roll_none",
  "roll_principal",
  "roll_all",
  "wallet_logs_in",
] as const;
export type MailNote = (typeof mailNotes)[number];

export type MailKind = MailContent["kind"];

/** Notices that cannot be switched off, and say so. */
export const requiredKinds: ReadonlySet<MailKind> = new Set([
  "recovery_proposed",
  "recovery_pending",
  "recovery_executed",
  "fee_change",
  "custodian_change",
]);

/** How long a code in a mail counts. */
export const codeMinutes = 10;

/** `{name}` stands for a value of the mail, or for `{host}`, where people reach this instance. */
export interface MailText {
  subject: string;
  paragraphs: string[];
  /** One of the mail's lines, which follow the first paragraph. */
  line?: string;
  /** What the link to a page of the app says. */
  action?: string;
}
export interface MailTexts {
  mails: Record<MailKind, MailText>;
  rejections: Record<RejectionCode, string>;
  factors: Record<FactorName, string>;
  /** In place of browser and system. */
  unknownProgram: string;
  notes: Record<MailNote, string>;
  /** Which block a notice's figures are of. */
  figures: string;
  /** Leads to `{unsubscribe}`. */
  unsubscribe: string;
  /** Why a notice cannot be switched off. */
  required: string;
  /** Leads to `{settings}`, the list of all mails. */
  settings: string;
  /** Why this mail came. */
  footer: string;
}
