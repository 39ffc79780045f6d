import { eq } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import type { MailContent, SecurityContent } from "../mail/content.ts";
import type { Mailer } from "../mail/mail.ts";
import { account } from "./schema.ts";

/** Mails that an account's owner gets without asking for them. */
export type Notice = Extract<MailContent, { kind: `wallet_${string}` | `identity_${string}` }> | SecurityContent;

/** Enqueues the mail in the caller's transaction, so it is sent if and only if that commits. */
export type Notify = (tx: Orm, accountId: string, notice: Notice) => Promise<void>;

export function createNotify(mailer: Pick<Mailer, "enqueue">): Notify {
  return async (tx, accountId, content) => {
    const [owner] = await tx
      .select({ to: account.email, language: account.language })
      .from(account)
      .where(eq(account.id, accountId));
    if (owner !== undefined) await mailer.enqueue(tx, { ...owner, content });
  };
}
