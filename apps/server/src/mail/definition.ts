import type { MailKey, MailKind, MailNote } from "./texts.ts";

/**
 * One kind of mail. Its texts are in the catalogs: `<kind>.subject`, the paragraphs `<kind>.text.1`, `<kind>.text.2`,
 * …, and `<kind>.line`. The mail contains one `<kind>.line` for each of the content's `lines`, after the first
 * paragraph.
 */
export interface MailDefinition<Values extends object = object> {
  /** Label of the link to `page` or to the content's own `path`. */
  action?: MailKey;
  /** Page of the app that the link opens. */
  page?: string;
  /** The account cannot switch off the mail, and the mail says so. */
  required?: true;
  /** `{ factor: "factor" }`: if there is a text `factor.<value>`, it replaces the value `factor`. */
  worded?: Readonly<Record<string, string>>;
  /** Declares the type of the values. It is never set. */
  values?: Values;
}

export type MailDefinitions = Readonly<Partial<Record<MailKind, MailDefinition>>>;

/** Defines a mail. `Values` are the placeholders of its texts in human-readable form; rendering escapes them. */
export function defineMail<Values extends object = object>(
  definition: Omit<MailDefinition, "values"> = {},
): MailDefinition<Values> {
  return definition;
}

/** A mail to send. Waiting mails are stored in this shape, so the kinds and the names of values must not change. */
export interface MailContent {
  kind: MailKind;
  /** The page of the app that the action opens. */
  path?: string;
  notes?: readonly MailNote[];
  lines?: readonly Readonly<Record<string, string>>[];
}

/** The mails that the definitions allow, each kind with its values. */
export type ContentOf<Definitions> = {
  [Kind in keyof Definitions & MailKind]: Definitions[Kind] extends MailDefinition<infer Values>
    ? { kind: Kind } & Values
    : never;
}[keyof Definitions & MailKind];

/** The place on chain at which the facts of a notice were read, in human-readable form. */
export interface Figures {
  block: string;
  chain: string;
  read: string;
}

/** Values of a mail about facts on a chain, and the page of the app that its link opens. */
export interface ChainFacts extends Figures {
  path: string;
  notes?: readonly MailNote[];
}
