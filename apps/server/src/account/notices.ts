import { eq } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import type { MailContent } from "../mail/definition.ts";
import type { Mailer } from "../mail/mail.ts";
import { account } from "./schema.ts";

/**
 * Enqueues a mail to an account's owner in the caller's transaction, so it is sent if and only if the transaction
 * commits.
 */
export type Notify<Content extends MailContent> = (tx: Orm, accountId: string, content: Content) => Promise<void>;

export function createNotify<Content extends MailContent>(mailer: Pick<Mailer<Content>, "enqueue">): Notify<Content> {
  return async (tx, accountId, content) => {
    const [owner] = await tx
      .select({ to: account.email, language: account.language })
      .from(account)
      .where(eq(account.id, accountId));
    if (owner !== undefined) await mailer.enqueue(tx, { ...owner, content });
  };
}
