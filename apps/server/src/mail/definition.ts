import type { MailKey, MailKind, MailNote } from "./texts.ts";

/**
 * One kind of mail. Its texts are in the catalogs: `<kind>.subject`, the paragraphs `<kind>.text.1`, `<kind>.text.2`, …,
 * and for each of the content's `lines`, which follow the first paragraph, `<kind>.line`.
 */
export interface MailDefinition<Values extends object = object> {
  /** Label of the link to `page`, or to the content's own `path`. */
  action?: MailKey;
  /** Page of the app that the link opens. */
  page?: string;
  /** The account cannot switch the mail off, and the mail says so. */
  required?: true;
  /** `{ factor: "factor" }`: where there is a text `factor.<value>`, it replaces the value `factor`. */
  worded?: Readonly<Record<string, string>>;
  /** Carries the type of the values and is never set. */
  values?: Values;
}

export type MailDefinitions = Readonly<Partial<Record<MailKind, MailDefinition>>>;

/** `Values`: what the texts name in braces, as a person should read it; rendering escapes it. */
export function defineMail<Values extends object = object>(
  definition: Omit<MailDefinition, "values"> = {},
): MailDefinition<Values> {
  return definition;
}

/** A mail to send. Waiting mails are stored in this shape, so kinds and the names of values stay as they are. */
export interface MailContent {
  kind: MailKind;
  /** Page of the app that the action opens. */
  path?: string;
  notes?: readonly MailNote[];
  lines?: readonly Readonly<Record<string, string>>[];
}

/** The mails that definitions allow: their kinds with their values. */
export type ContentOf<Definitions> = {
  [Kind in keyof Definitions & MailKind]: Definitions[Kind] extends MailDefinition<infer Values>
    ? { kind: Kind } & Values
    : never;
}[keyof Definitions & MailKind];

/** Where on chain a notice's facts were read, as a person reads it. */
export interface Figures {
  block: string;
  chain: string;
  read: string;
}

/** Values of a mail about facts on a chain, with the page of the app that its link opens. */
export interface ChainFacts extends Figures {
  path: string;
  notes?: readonly MailNote[];
}
