import { type OptionalNotice, optionalNotice } from "@aqua/sdk/api/notices";
import type { Keys } from "../keys.ts";

/** What a link in a mail may do: stop one kind of mails of one account. */
export interface Unsubscribing {
  accountId: string;
  kind: OptionalNotice;
}

const CONTEXT = "unsubscribe link";

/** Sealed, not only signed: a link that is passed on reveals neither the account nor anything of it. */
export function unsubscribeToken(keys: Keys, { accountId, kind }: Unsubscribing): string {
  return Buffer.from(keys.seal("unsubscribe", Buffer.from(`${kind} ${accountId}`), CONTEXT)).toString("base64url");
}

/** Null for what this instance did not make. */
export function readUnsubscribeToken(keys: Keys, token: string): Unsubscribing | null {
  let opened: string;
  try {
    opened = Buffer.from(keys.open("unsubscribe", Buffer.from(token, "base64url"), CONTEXT)).toString();
  } catch {
    // Every way to be wrong is one: altered, cut off, or of another secret.
    return null;
  }
  const space = opened.indexOf(" ");
  const { data: kind } = optionalNotice.safeParse(opened.slice(0, space));
  return kind === undefined ? null : { kind, accountId: opened.slice(space + 1) };
}
