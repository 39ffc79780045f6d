import { type OptionalNotice, optionalNotice } from "@aqua/sdk/api/notices";
import type { Keys } from "../keys.ts";

/** The permission of a link in a mail: to stop one kind of mails of one account. */
export interface Unsubscribing {
  accountId: string;
  kind: OptionalNotice;
}

const CONTEXT = "unsubscribe link";

/**
 * Creates the token of a link. It is sealed instead of only signed, so that a forwarded link reveals nothing about the
 * account.
 */
export function unsubscribeToken(keys: Keys, { accountId, kind }: Unsubscribing): string {
  return Buffer.from(keys.seal("unsubscribe", Buffer.from(`${kind} ${accountId}`), CONTEXT)).toString("base64url");
}

/** Reads the token of a link. Null if this instance did not create it. */
export function readUnsubscribeToken(keys: Keys, token: string): Unsubscribing | null {
  let opened: string;
  try {
    opened = Buffer.from(keys.open("unsubscribe", Buffer.from(token, "base64url"), CONTEXT)).toString();
  } catch {
    // An altered token, a truncated token and a token of another secret are treated alike.
    return null;
  }
  const space = opened.indexOf(" ");
  const { data: kind } = optionalNotice.safeParse(opened.slice(0, space));
  return kind === undefined ? null : { kind, accountId: opened.slice(space + 1) };
}
